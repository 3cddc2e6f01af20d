/** Packs the project once and runs the named checks on what was packed. */
import { checks } from "./packaging/checks.ts";
import { type Consumer, createConsumer } from "./packaging/consumer.ts";

export type PackagingCheck = keyof typeof checks;

/** One line for each check that does not pass; a name that is not known is one. */
export async function packagingProblems(names: readonly string[]): Promise<string[]> {
  let consumer: Consumer;
  try {
    consumer = await createConsumer();
  } catch (error) {
    return [String(error)];
  }
  try {
    const problems: string[] = [];
    for (const name of names) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      const wrong = check ? await check(consumer) : "this runner does not know this check";
      if (wrong !== null) problems.push(`${name}: ${wrong}`);
    }
    return problems;
  } finally {
    await consumer.remove();
  }
}
