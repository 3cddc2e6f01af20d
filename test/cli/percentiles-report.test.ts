/** The report in a real browser: drawn, silent on the network, without script, readable when narrow and when dark. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { html } from "../../src/cli/percentiles/report/html.ts";
import { renderReport } from "../../src/cli/percentiles/report/report.ts";
import { logScale } from "../../src/cli/percentiles/report/scale.ts";
import { Survey } from "../../src/cli/percentiles/survey.ts";
import { randomFrom } from "../stats/shapes.ts";
import { exportRows, type Folder, folder, HEADER, run, turnLine, turnLines } from "./percentiles-fixtures.ts";

const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Kept for people to look at; ignored by git. */
const ARTIFACTS = new URL("../../coverage/report/", import.meta.url).pathname;
const HOSTILE = `</script><script>document.title="owned"</script><img src=x onerror="document.title='owned'">"'&`;

describe("markup", () => {
  it("takes every value as text", () => {
    expect(html`<p title="${HOSTILE}">${["a", "<b>"].map((name) => html`<i>${name}</i>`)}${null}</p>`.text).toBe(
      '<p title="&lt;/script&gt;&lt;script&gt;document.title=&quot;owned&quot;&lt;/script&gt;&lt;img src=x onerror=&quot;document.title=&#39;owned&#39;&quot;&gt;&quot;&#39;&amp;"><i>a</i><i>&lt;b&gt;</i></p>',
    );
  });

  it("of a measured series needs no source and no deadline", () => {
    const survey = new Survey();
    const random = randomFrom(1);
    for (let at = 0; at < 300; at++) survey.addTurn(turnLine(at, random));
    const page = renderReport({
      ...survey.result({ deadlineMs: Number.POSITIVE_INFINITY }),
      title: "A series",
      sources: [],
    });
    expect(page.includes("<h1>A series</h1>")).toBe(true);
    expect(/Limits are fitted|calls from/.test(page)).toBe(false);
    const empty = renderReport({ ...new Survey().result({ deadlineMs: 5 }), title: "Nothing", sources: [] });
    expect(empty.includes("0 calls, 0 of them")).toBe(true);
  });

  it("has axes that begin and end at round durations", () => {
    expect(logScale(140, 36_000).ticks.map(({ label }) => label)).toEqual(["100 ms", "1 s", "10 s"]);
    expect(logScale(700, 3_000).ticks.map(({ label }) => label)).toEqual(["500 ms", "1 s", "2 s", "5 s"]);
    expect(logScale(140, 36_000).at(100)).toBe("0.00%");
    expect(logScale(140, 36_000).at(1e9)).toBe("100.00%");
  });
});

describe.skipIf(!existsSync(CHROMIUM))(`in Chromium (${existsSync(CHROMIUM) ? CHROMIUM : "not found"})`, () => {
  let files: Folder;
  let browser: Browser;
  beforeAll(async () => {
    files = folder();
    mkdirSync(ARTIFACTS, { recursive: true });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    files.remove();
  });

  interface Opened {
    readonly page: Page;
    readonly complaints: string[];
    readonly requests: string[];
  }

  async function open(path: string, width: number, colorScheme: "light" | "dark"): Promise<Opened> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    return { page, complaints, requests };
  }

  async function reportOf(name: string, content: string): Promise<string> {
    const path = `${files.path}/${name}.html`;
    await run([files.file(name, content), "--deadline", "20s", "--html", path]);
    return path;
  }

  const exported = () =>
    reportOf(
      "export.csv",
      [HEADER, ...exportRows(20_000), `ok,5,"${HOSTILE.replaceAll('"', '""')}",m,1`, "ok,bad,r,m,1"].join("\n"),
    );
  const logged = () => reportOf("turns.jsonl", turnLines(4_000));

  it.each([
    ["export", 1_200, "light"],
    ["export", 400, "dark"],
    ["turns", 1_200, "dark"],
    ["turns", 400, "light"],
  ] as const)("%s at %d pixels, %s: drawn, whole, silent", { timeout: 60_000 }, async (name, width, scheme) => {
    const path = await (name === "export" ? exported() : logged());
    const { page, complaints, requests } = await open(path, width, scheme);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([pathToFileURL(path).href]);
    expect(await page.title()).toBe("Time to first token");

    // Charts are drawn: every one has bars, a curve, its percentiles and the limit, inside its frame.
    const charts = await page.$$eval("section svg.chart", (all) =>
      all.map((chart) => {
        const frame = chart.getBoundingClientRect();
        const boxes = Array.from(chart.querySelectorAll("rect,path,circle,line"), (shape) =>
          shape.getBoundingClientRect(),
        );
        return {
          bars: chart.querySelectorAll("rect.bar").length,
          curve: chart.querySelector("path.curve")?.getBoundingClientRect().width ?? 0,
          marks: chart.querySelectorAll("circle.mark").length,
          limit: chart.querySelectorAll("line.limit").length,
          outside: boxes.filter(({ left, right }) => left < frame.left - 6 || right > frame.right + 6).length,
        };
      }),
    );
    expect(charts.length).toBeGreaterThanOrEqual(2);
    for (const { bars, curve, marks, limit, outside } of charts) {
      expect(bars).toBeGreaterThan(10);
      expect(curve).toBeGreaterThan(50);
      expect([marks, limit, outside]).toEqual([4, 1, 0]);
    }
    expect(await page.locator(".turns li svg rect").count()).toBeGreaterThanOrEqual(12);

    // Readable: nothing to scroll sideways, no text smaller than 11 pixels, enough contrast.
    const { overflow, smallest, contrast } = await page.evaluate(() => {
      const texts = Array.from(document.querySelectorAll("h1,h2,h3,h4,p,td,th,dt,dd,li,text"));
      const light = (colour: string) => {
        const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
          const c = Number(part) / 255;
          return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const style = (of: Element | null) => getComputedStyle(of as Element);
      const card = light(style(document.querySelector(".card")).backgroundColor);
      return {
        overflow: (document.scrollingElement?.scrollWidth ?? 0) - innerWidth,
        smallest: Math.min(...texts.map((text) => Number.parseFloat(style(text).fontSize))),
        contrast: ["dt", "dd", ".why", "td.set", "td"].map((of) =>
          ratio(light(style(document.querySelector(of)).color), card),
        ),
      };
    });
    expect(overflow).toBeLessThanOrEqual(0);
    expect(smallest).toBeGreaterThanOrEqual(11);
    expect(Math.min(...contrast)).toBeGreaterThanOrEqual(4.5);
    expect(await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches)).toBe(scheme === "dark");

    await page.screenshot({ path: `${ARTIFACTS}${name}-${width}-${scheme}.png`, fullPage: true });
    await page.close();
  });

  it("a hostile name stays text, and the page's policy forbids script, network and frames", {
    timeout: 60_000,
  }, async () => {
    const path = await exported();
    const { page, complaints } = await open(path, 1_000, "light");
    expect(await page.title()).toBe("Time to first token");
    expect(await page.locator("img,iframe,script:not([type='application/json'])").count()).toBe(0);
    expect(await page.getByText("<img src=x").count()).toBeGreaterThan(0);
    const data = await page.$eval("#data", (element) => JSON.parse(element.textContent ?? ""));
    expect(data.rows.map(({ endpoint }: { endpoint: string }) => endpoint)).toContain(HOSTILE);
    expect(complaints).toEqual([]);

    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title='owned'";
      document.body.append(script);
      const image = new Image();
      image.src = "https://example.com/x.png";
      document.body.append(image);
    });
    await page.waitForFunction(() => true);
    expect(await page.title()).toBe("Time to first token");
    expect(complaints.join("\n")).toContain("Content Security Policy");
    expect(readFileSync(path, "utf8")).not.toMatch(/<script>|https?:\/\//);
    await page.close();
  });
});
