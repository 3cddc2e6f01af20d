import { describe, expect, test } from "vitest";
import { inferProviderName } from "../../src/otel/provider-name.ts";
import type { OtelOptions } from "../../src/otel.ts";
import { call } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

describe("the provider's name", () => {
  test.for([
    ["api.openai.com", "openai"],
    ["eu.api.openai.com", "openai"],
    ["api.anthropic.com", "anthropic"],
    ["mine.openai.azure.com", "azure.ai.openai"],
    ["mine.cognitiveservices.azure.com", "azure.ai.openai"],
    ["mine.services.ai.azure.com", "azure.ai.inference"],
    ["bedrock-runtime.us-east-1.amazonaws.com", "aws.bedrock"],
    ["generativelanguage.googleapis.com", "gcp.gemini"],
    ["us-central1-aiplatform.googleapis.com", "gcp.vertex_ai"],
    ["aiplatform.googleapis.com", "gcp.vertex_ai"],
    ["other.googleapis.com", "gcp.gen_ai"],
    ["api.cohere.com", "cohere"],
    ["api.deepseek.com", "deepseek"],
    ["api.groq.com", "groq"],
    ["us-south.ml.cloud.ibm.com", "ibm.watsonx.ai"],
    ["api.mistral.ai", "mistral_ai"],
    ["api.moonshot.ai", "moonshot_ai"],
    ["api.perplexity.ai", "perplexity"],
    ["api.x.ai", "x_ai"],
  ])("follows the host: %s", ([host, name]) => {
    expect(inferProviderName(new URL(`https://${host}/v1/x`), "openai-chat")).toBe(name);
  });

  test.for([
    ["openai-chat", "openai"],
    ["openai-responses", "openai"],
    ["openai-completions", "openai"],
    ["anthropic-messages", "anthropic"],
    ["gemini", "gcp.gen_ai"],
    ["cohere-v2", "cohere"],
    ["ollama", "ollama"],
    ["my-own", "my-own"],
  ])("of an unknown host is the flavour of the protocol: %s", ([protocol, name]) => {
    for (const host of ["localhost:8080", "notopenai.com", "openai.com.evil.test", "linux.ai"])
      expect(inferProviderName(new URL(`https://${host}/v1/x`), protocol as string)).toBe(name);
  });

  test.for<[string, NonNullable<OtelOptions["providerName"]>, string]>([
    ["what the option says", () => "mine", "mine"],
    ["the inferred one where it says nothing", () => undefined, "openai"],
    ["the inferred one where it throws", () => fail(), "openai"],
    ["no sentence", () => "a name of my own", "_OTHER"],
  ])("is %s", async ([, providerName, name]) => {
    const telemetry = new Telemetry();
    const way = { facade: "client", protocol: "openai-chat" } as const;
    await call(way, { "https://a.test": ["one"] }, telemetry.observer({ providerName }));
    expect(telemetry.operations[0]?.attributes["gen_ai.provider.name"]).toBe(name);
    const points = await telemetry.points("gen_ai.client.operation.duration");
    expect(points[0]?.attributes["gen_ai.provider.name"]).toBe(name);
  });
});

function fail(): never {
  throw new Error("no name");
}
