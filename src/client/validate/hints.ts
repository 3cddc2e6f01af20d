/** What somebody may have meant who wrote a name that is no option: names of other libraries, and slips of the keyboard. */

/** Names in lower case without `_`, and what they are here. */
const MEANT = `
timeout,timeoutms,timeouts:\`limits\`
maxretries,retries:\`retry.maxRetries\`
baseurl,url:\`url\` of an endpoint
apikey,key,token:\`apiKey\` of an endpoint
model,headers:the same of an endpoint
finishreason:\`stopReason\`
abortsignal,signal,label:\`signal\` or \`label\` of a call
endpoints:\`fallbacks\`
fallbacks:\`endpoints\`
logger,hooks:\`observers\`
messages,input,temperature,maxtokens,tools:the first argument of a call
stream:nothing, it is set for you`;

/** To be put behind what is said of the name; empty if nothing comes to mind. */
export function hintFor(name: string, known: readonly string[]): string {
  const plain = plainOf(name);
  const same = known.find((option) => plainOf(option) === plain);
  const line = MEANT.split("\n").find((each) => each.split(":")[0]?.split(",").includes(plain));
  const meant = line?.slice(line.indexOf(":") + 1);
  const near = same ?? (meant ? undefined : known.find((option) => areNear(plain, plainOf(option))));
  return near ? `, use \`${near}\`` : meant ? `, use ${meant}` : "";
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

/** The beginning of it; or of about the same length, and at most one letter stands in one of them only. */
function areNear(one: string, other: string): boolean {
  const missing = (from: string, within: string) => [...from].filter((letter) => !within.includes(letter)).length;
  return (
    other.startsWith(one) || (Math.abs(one.length - other.length) < 3 && missing(one, other) + missing(other, one) < 2)
  );
}
