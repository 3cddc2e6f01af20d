import { expect, test } from "vitest";
import { Iteration, type Source } from "../../src/client/iteration.ts";

/** A source that is filled by hand. */
function byHand(failure: Error | null = null) {
  const pieces: Uint8Array[] = [];
  let ready: (() => void) | null = null;
  const seen = { left: 0, done: 0 };
  const source = {
    over: false,
    take: () => pieces.shift(),
    whenReady: (run: () => void) => {
      ready = run;
    },
    error: () => failure,
    left: () => void seen.left++,
    done: () => void seen.done++,
  };
  const tell = () => {
    const run = ready;
    ready = null;
    run?.();
  };
  const give = (size: number) => {
    pieces.push(new Uint8Array(size));
    tell();
  };
  const end = () => {
    source.over = true;
    tell();
  };
  return { source: source as Source, seen, give, end };
}

const sizes = (piece: unknown) => (piece as Uint8Array).length || undefined;

test("who asks first is served first, however many wait", async () => {
  const { source, give, end, seen } = byHand();
  const iteration = new Iteration(source, sizes);
  const waiting = [iteration.next(), iteration.next(), iteration.next(), iteration.next()];
  give(1);
  give(2);
  end();
  expect(await Promise.all(waiting)).toEqual([
    { done: false, value: 1 },
    { done: false, value: 2 },
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
  expect(seen).toEqual({ left: 0, done: 1 });
});

test("a failure reaches whoever waits first by then, and nobody else", async () => {
  const { source, give, end } = byHand(new Error("cut"));
  const iteration = new Iteration(source, sizes);
  const waiting = [iteration.next(), iteration.next(), iteration.next()];
  give(1);
  end();
  const [first, second, third] = await Promise.allSettled(waiting);
  expect(first).toMatchObject({ value: { value: 1 } });
  expect(second).toMatchObject({ reason: { message: "cut" } });
  expect(third).toMatchObject({ value: { done: true } });
  expect(await iteration.next()).toEqual({ done: true, value: undefined });
});

test("pieces of which nothing is wanted are passed over without an answer", async () => {
  const { source, give } = byHand();
  const next = new Iteration(source, sizes).next();
  give(0);
  give(3);
  expect(await next).toEqual({ done: false, value: 3 });
});

test("leaving ends the wait, tells the source once, and stays the end", async () => {
  const { source, seen } = byHand(new Error("never told"));
  const iteration = new Iteration(source, sizes);
  const next = iteration.next();
  await iteration.return();
  await iteration.return();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(seen).toEqual({ left: 1, done: 1 });
});
