import { DiagLogLevel, diag } from "@opentelemetry/api";
import { afterEach, describe, expect, test } from "vitest";
import { call } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

const way = { facade: "client", protocol: "openai-chat" } as const;

afterEach(() => diag.disable());

describe("names without a list", () => {
  test("are kept a hundred times each, then become `_OTHER` with one warning", async () => {
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const quiet = () => {};
    diag.setLogger({ warn, error: quiet, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
    const telemetry = new Telemetry();
    const observer = telemetry.observer();
    for (let at = 0; at < 130; at++) {
      await call(way, { "https://a.test": ["one"] }, observer, { body: { model: `m-${at}` }, label: `label ${at}` });
    }
    const models = await valuesOf(telemetry, "ttft.client.time_to_first_content", "gen_ai.request.model");
    expect(models.size).toBe(101);
    expect(models.get("_OTHER")).toBe(30);
    const labels = await valuesOf(telemetry, "ttft.client.attempts", "ttft.label");
    expect([labels.size, labels.get("_OTHER"), labels.get("label 0")]).toEqual([101, 30, 1]);
    expect(warnings.filter((warning) => warning.includes("ttft.label"))).toEqual([
      "ttft: more than 100 values of ttft.label, later ones are counted as _OTHER",
    ]);
    expect(warnings).toHaveLength(3);
  });

  test("stay whole on spans", async () => {
    const telemetry = new Telemetry();
    await call(way, { "https://a.test": ["one"] }, telemetry.observer(), { body: { model: "m-another" } });
    expect(telemetry.operations[0]?.attributes["gen_ai.request.model"]).toBe("m-another");
    expect(telemetry.operations[0]?.name).toBe("chat m-another");
  });
});

async function valuesOf(telemetry: Telemetry, metric: string, attribute: string): Promise<Map<unknown, number>> {
  const counts = new Map<unknown, number>();
  for (const { attributes, count } of await telemetry.points(metric))
    counts.set(attributes[attribute], (counts.get(attributes[attribute]) ?? 0) + count);
  return counts;
}
