import { afterEach, expect, test, vi } from "vitest";
import { newCallId } from "../../src/base/call-id.ts";

test("ids are 20 random digits, and none comes twice, across many draws", () => {
  const ids = Array.from({ length: 1_000 }, () => newCallId(Math.random));
  for (const id of ids) expect(id).toMatch(/^call_[0-9a-f]{20}$/);
  expect(new Set(ids).size).toBe(1_000);
});

afterEach(() => vi.unstubAllGlobals());

test("ids are as random where a runtime has no `crypto`", () => {
  vi.stubGlobal("crypto", undefined);
  const ids = Array.from({ length: 1_000 }, () => newCallId(Math.random));
  for (const id of ids) expect(id).toMatch(/^call_[0-9a-f]{20}$/);
  expect(new Set(ids).size).toBe(1_000);
});
