/** Judges what stood around the calls: the server's log, the process, the telemetry. */
import type { Expectation, ExpectedServer, ExpectedTelemetry, Range } from "../format.ts";
import type { Played } from "../play/run.ts";
import type { Point, SeenTelemetry } from "../play/telemetry.ts";
import type { StubLog } from "../stub/script.ts";
import { each, equal, type Problem, problem, within } from "./problem.ts";

export const requests = (expected: Readonly<Record<string, number | Range>>, { stub }: Played): Problem[] =>
  Object.entries(expected).flatMap(([endpoint, count]) => {
    const range = typeof count === "number" ? { min: count, max: count } : count;
    return within(`requests.${endpoint}`, range, stub.requests[endpoint] ?? 0, "count");
  });

export const server = (expected: ExpectedServer, { stub, ownHeaders, plan }: Played): Problem[] =>
  each<ExpectedServer, StubLog>("server.", expected, stub, {
    clientClosedWithinMs: (ms, { closes }) =>
      closes.length === 0
        ? [problem("server.clientClosedWithinMs", "the client closed no connection")]
        : closes.flatMap(({ afterMs }) => within("server.clientClosedWithinMs", { max: ms }, afterMs, "time")),
    distinctConnections: (count, { connections }) => equal("server.distinctConnections", count, connections.length),
    identicalBodies: (_, { bodies }) => equal("server.identicalBodies", 1, new Set(bodies).size),
    addedRequestHeaders: (names, { headerNames }) => {
      const own = Object.keys(plan.script.client.request?.headers ?? {}).map((name) => name.toLowerCase());
      const known = new Set([...own, ...(ownHeaders ?? [])]);
      const added = new Set(headerNames.flat().filter((name) => !known.has(name)));
      return equal("server.addedRequestHeaders", names.map((name) => name.toLowerCase()).sort(), [...added].sort());
    },
  });

export const processCounts = (expected: NonNullable<Expectation["process"]>, { process }: Played): Problem[] =>
  Object.entries(expected).flatMap(([name, count]) => {
    if (!Object.hasOwn(process, name)) return [problem(`process.${name}`, "this runner does not know this count")];
    return equal(`process.${name}`, count, process[name as keyof typeof expected]).map(({ text, ...rest }) => ({
      ...rest,
      text: [text, ...process.details].join("; "),
    }));
  });

const duration = "gen_ai.client.operation.duration";
const power = (base: number, from: number, count: number) => Array.from({ length: count }, (_, n) => from * base ** n);
/** The bounds that the conventions advise for times and for tokens, and our own finer ones for first content. */
const times = power(2, 0.01, 14);
const tokens = power(4, 1, 14);
const firstContent = [
  0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 10, 12.5, 15, 20, 25, 30, 45,
  60, 90, 120,
];
const boundsOf = (metric: string) =>
  metric.endsWith("token.usage") ? tokens : metric.endsWith("time_to_first_content") ? firstContent : times;

const pointsOf = (seen: SeenTelemetry, name: string): readonly Point[] => seen.metrics[name]?.points ?? [];
const countOf = (points: readonly Point[]) => points.reduce((sum, point) => sum + point.count, 0);

export function telemetry(expected: ExpectedTelemetry, { telemetry: seen }: Played): Problem[] {
  if (!seen) return [problem("otel", "no telemetry was taken")];
  return each<ExpectedTelemetry, SeenTelemetry>("otel.", expected, seen, {
    spansEnded: (counts, { ended }) => equal("otel.spansEnded", counts, ended),
    spansOpen: (count, { open }) => equal("otel.spansOpen", count, open),
    errorType: (type, { operations }) => [
      ...equal("otel.errorType of the span", [type], distinct(operations.map(errorTypeOf))),
      ...equal("otel.errorType of the point", [type], distinct(pointsOf(seen, duration).map(pointErrorOf))),
    ],
    metrics: (counts) =>
      named(counts, (name, count) => equal(`otel.metrics.${name}`, count, countOf(pointsOf(seen, name)))),
    units: (units) => named(units, (name, unit) => equal(`otel.units.${name}`, unit, seen.metrics[name]?.unit)),
    durationS: (range) => {
      const points = pointsOf(seen, duration);
      const ends = points.length ? points.flatMap(({ min, max }) => [min, max]) : [null];
      return ends.flatMap((value) => within("otel.durationS", range, value, "time"));
    },
    bucketAdvice: (names) =>
      names.flatMap((name) => equal(`otel.bucketAdvice.${name}`, boundsOf(name), pointsOf(seen, name)[0]?.bounds)),
  });
}

const named = <Value>(expected: Readonly<Record<string, Value>>, check: (name: string, value: Value) => Problem[]) =>
  Object.entries(expected).flatMap(([name, value]) => check(name, value));
const errorTypeOf = (attributes: Readonly<Record<string, unknown>>) => attributes["error.type"] ?? null;
const pointErrorOf = ({ attributes }: Point) => errorTypeOf(attributes);
const distinct = (values: readonly unknown[]) => [...new Set(values)];
