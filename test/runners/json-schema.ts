/** Strict validation against the part of JSON Schema 2020-12 that the case format uses; an unknown keyword is a bug. */

export type Schema = boolean | { readonly [keyword: string]: any };

/** Adds what is wrong with `value`, one line each. */
type Check = (rule: any, value: any, site: Site) => void;

interface Site {
  readonly root: any;
  readonly schema: any;
  readonly path: string;
  readonly problems: string[];
}

/** What is wrong with `value`, as `path: problem` lines; empty if it is valid. */
export function validate(root: Schema, value: unknown): string[] {
  return problemsOf(root, root, value, "");
}

function problemsOf(root: Schema, schema: Schema, value: unknown, path: string): string[] {
  if (schema === true) return [];
  if (schema === false) return [`${path || "/"}: not allowed here`];
  const problems: string[] = [];
  for (const [keyword, rule] of Object.entries(schema)) {
    if (annotations.has(keyword)) continue;
    const check = checks[keyword];
    if (!check) throw new Error(`JSON Schema keyword "${keyword}" is not supported`);
    check(rule, value, { root, schema, path, problems });
  }
  return problems;
}

function descend(site: Site, schema: Schema, value: unknown, key?: string | number): void {
  const path = key === undefined ? site.path : `${site.path}/${key}`;
  site.problems.push(...problemsOf(site.root, schema, value, path));
}

const holds = (site: Site, schema: Schema, value: unknown) =>
  problemsOf(site.root, schema, value, site.path).length === 0;
const fail = (site: Site, problem: string) => void site.problems.push(`${site.path || "/"}: ${problem}`);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function isType(type: string, value: unknown): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

const onObject =
  (check: (rule: any, value: Record<string, unknown>, site: Site) => void): Check =>
  (rule, value, site) =>
    isObject(value) && check(rule, value, site);
const onArray =
  (check: (rule: any, value: readonly unknown[], site: Site) => void): Check =>
  (rule, value, site) =>
    Array.isArray(value) && check(rule, value, site);
const onNumber =
  (wrong: (rule: number, value: number) => boolean, word: string): Check =>
  (rule, value, site) =>
    typeof value === "number" && wrong(rule, value) && fail(site, `${value} is ${word} ${rule}`);
const onText =
  (wrong: (rule: any, value: string) => boolean, word: string): Check =>
  (rule, value, site) =>
    typeof value === "string" && wrong(rule, value) && fail(site, `${JSON.stringify(value)} ${word} ${rule}`);
/** Say nothing about a value; `if` itself judges its two branches. */
const annotations = new Set(["$schema", "$defs", "title", "description", "then", "else"]);

/** The `$ref`s of the format are all `#/$defs/<name>`. */
function resolve(root: any, reference: string): Schema {
  const found = root.$defs?.[reference.slice("#/$defs/".length)];
  if (found === undefined) throw new Error(`JSON Schema reference "${reference}" leads nowhere`);
  return found;
}

function additional(rule: Schema, value: Record<string, unknown>, site: Site): void {
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(site.schema.properties ?? {}, key)) continue;
    if (rule === false) fail(site, `unknown key "${key}"`);
    else descend(site, rule, value[key], key);
  }
}

/** Of several forms the one with the fewest complaints is the one that was meant. */
function nearest(schemas: readonly Schema[], value: unknown, site: Site): string[] {
  const found = schemas.map((schema) => problemsOf(site.root, schema, value, site.path));
  return found.sort((a, b) => a.length - b.length)[0] ?? [];
}

const checks: Readonly<Record<string, Check>> = {
  $ref: (rule, value, site) => descend(site, resolve(site.root, rule), value),
  type(rule, value, site) {
    const allowed: string[] = Array.isArray(rule) ? rule : [rule];
    if (!allowed.some((type) => isType(type, value))) fail(site, `is not ${allowed.join(" or ")}`);
  },
  const: (rule, value, site) => same(rule, value) || fail(site, `is not ${JSON.stringify(rule)}`),
  enum: (rule, value, site) =>
    rule.some((allowed: unknown) => same(allowed, value)) || fail(site, `${JSON.stringify(value)} is not known`),
  minimum: onNumber((rule, value) => value < rule, "less than"),
  maximum: onNumber((rule, value) => value > rule, "more than"),
  exclusiveMinimum: onNumber((rule, value) => value <= rule, "not more than"),
  minLength: onText((rule, value) => value.length < rule, "is shorter than"),
  pattern: onText((rule, value) => !new RegExp(rule, "u").test(value), "does not match"),
  required: onObject((rule, value, site) => {
    for (const key of rule) if (!Object.hasOwn(value, key)) fail(site, `"${key}" is missing`);
  }),
  properties: onObject((rule, value, site) => {
    for (const key of Object.keys(rule)) if (Object.hasOwn(value, key)) descend(site, rule[key], value[key], key);
  }),
  additionalProperties: onObject(additional),
  propertyNames: onObject((rule, value, site) => {
    for (const key of Object.keys(value)) descend(site, rule, key, key);
  }),
  minProperties: onObject((rule, value, site) => {
    if (Object.keys(value).length < rule) fail(site, `has fewer than ${rule} keys`);
  }),
  dependentRequired: onObject((rule, value, site) => {
    for (const [key, others] of Object.entries<string[]>(rule))
      for (const other of others)
        if (Object.hasOwn(value, key) && !Object.hasOwn(value, other)) fail(site, `"${key}" needs "${other}"`);
  }),
  items: onArray((rule, value, site) => {
    for (const [index, item] of value.entries()) descend(site, rule, item, index);
  }),
  minItems: onArray((rule, value, site) => {
    if (value.length < rule) fail(site, `has fewer than ${rule} items`);
  }),
  uniqueItems: onArray((rule, value, site) => {
    if (rule && new Set(value.map((item) => JSON.stringify(item))).size < value.length) fail(site, "repeats an item");
  }),
  allOf(rule, value, site) {
    for (const schema of rule) descend(site, schema, value);
  },
  anyOf(rule, value, site) {
    if (!rule.some((schema: Schema) => holds(site, schema, value))) site.problems.push(...nearest(rule, value, site));
  },
  oneOf(rule, value, site) {
    const held = rule.filter((schema: Schema) => holds(site, schema, value)).length;
    if (held === 0) site.problems.push(...nearest(rule, value, site));
    if (held > 1) fail(site, "fits more than one form");
  },
  not: (rule, value, site) => holds(site, rule, value) && fail(site, "has keys that exclude each other"),
  if(rule, value, site) {
    const branch = holds(site, rule, value) ? site.schema.then : site.schema.else;
    if (branch !== undefined) descend(site, branch, value);
  },
};
