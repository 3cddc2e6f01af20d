import { inspect } from "node:util";
import { expect, it } from "vitest";
import { conceal } from "../../src/base/conceal.ts";

it("a concealed field is read by name and seen by nothing that lists, prints or serialises", () => {
  const object = conceal({ name: "a" }, { apiKey: "sk-secret", headers: { "x-api-key": "sk-secret" } });
  expect(object.apiKey).toBe("sk-secret");
  expect(Object.keys(object)).toEqual(["name"]);
  const seen = [
    inspect(object, { showHidden: true, depth: 9 }),
    JSON.stringify({ object }),
    inspect([object]),
    `${object}`,
  ];
  for (const shown of [...seen, JSON.stringify({ ...object })]) expect(shown).not.toContain("sk-secret");
  expect(seen[1]).toBe('{"object":{"name":"a"}}');
});
