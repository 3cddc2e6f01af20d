/** `gen_ai.provider.name`: whose flavour of API is spoken, by host, else by protocol. */

/** Suffixes, the longer before the shorter, each with its name unless that is its first part. */
const HOSTS = (
  "openai.com anthropic.com cohere.com cohere.ai deepseek.com groq.com perplexity.ai mistral.ai:mistral_ai " +
  "moonshot.ai:moonshot_ai x.ai:x_ai openai.azure.com:azure.ai.openai cognitiveservices.azure.com:azure.ai.openai " +
  "azure.com:azure.ai.inference amazonaws.com:aws.bedrock generativelanguage.googleapis.com:gcp.gemini " +
  "aiplatform.googleapis.com:gcp.vertex_ai googleapis.com:gcp.gen_ai ml.cloud.ibm.com:ibm.watsonx.ai"
).split(" ");

/** Of a host that is not known: the flavour of the request's protocol; one of a user's own stands for itself. */
export function inferProviderName({ hostname }: URL, protocol: string): string {
  // `us-central1-aiplatform.googleapis.com`: a region stands before a hyphen.
  const host = `.${hostname.replace(/^.+-(?=aiplatform\.)/, "")}`;
  for (const entry of HOSTS) {
    const [suffix = "", name] = entry.split(":");
    if (host.endsWith(`.${suffix}`)) return name ?? suffix.replace(/\..*/, "");
  }
  return protocol === "gemini" ? "gcp.gen_ai" : protocol.replace(/^(openai|anthropic|cohere)-.*/, "$1");
}
