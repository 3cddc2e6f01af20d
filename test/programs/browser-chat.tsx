/** A chat page: a stop button, a second try that replaces the first, half an answer that says so, failover as it happens. */
import { useRef, useState } from "react";
import { type Attempt, createClient, findTtftError, type Observer, type Turn, toAssistantMessages } from "ttft";

const client = createClient({ endpoints: [{ protocol: "openai-chat", url: "/api/chat", name: "relay" }] });

type Message = { role: "user" | "assistant"; content: string };
type Bubble = { text: string; note: string | null; turn: Turn | null };

export function Chat() {
  const [history, setHistory] = useState<Message[]>([]);
  const [bubble, setBubble] = useState<Bubble | null>(null);
  const [failed, setFailed] = useState<readonly Attempt[]>([]);
  const abort = useRef<AbortController>(null);

  async function ask(messages: Message[], restartOf?: Turn) {
    const controller = new AbortController();
    abort.current = controller;
    let text = "";
    setFailed([]);
    const live: Observer = {
      attemptEnd: (_, result) => result.outcome !== "complete" && setFailed((list) => [...list, result]),
    };
    try {
      const stream = await client.stream({ messages }, { signal: controller.signal, restartOf, observers: [live] });
      for await (const piece of stream.textStream()) {
        text += piece;
        setBubble({ text, note: null, turn: null });
      }
      const turn = await stream.turn();
      setHistory([...messages, ...toAssistantMessages<Message>(turn)]);
      setBubble(null);
    } catch (error) {
      const ours = findTtftError(error);
      if (ours?.name === "IncompleteTurnError")
        setBubble({ text, note: ours.code === "aborted" ? "Stopped" : "This answer was cut off", turn: ours.turn });
      else if (ours?.code !== "aborted") setBubble({ text: "", note: ours?.message ?? "Something broke", turn: null });
    }
  }

  return (
    <main>
      {failed.map((a) => (
        <p key={a.index}>
          {a.endpoint} failed after {a.timing.totalMs} ms, trying the next one
        </p>
      ))}
      {bubble && (
        <p>
          {bubble.text}
          {bubble.note && <em> {bubble.note}</em>}
        </p>
      )}
      <button type="button" onClick={() => abort.current?.abort()}>
        Stop
      </button>
      <button type="button" onClick={() => ask(history, bubble?.turn ?? undefined)}>
        Try again
      </button>
    </main>
  );
}
