/** Puts a bound on what may never settle. */
export async function inTime<Result>(running: Promise<Result>, longestMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing had settled after ${longestMs} ms`)), longestMs);
  });
  try {
    return await Promise.race([running, over]);
  } finally {
    clearTimeout(timer);
  }
}
