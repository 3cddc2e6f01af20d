/** Where everything that is measured is filed: by endpoint, model, label and prompt band, in bounded memory. */
import { Calendar } from "./calendar.ts";
import { Recent } from "./recent.ts";
import { Row, type StatsKey } from "./row.ts";

/** What names become when there are too many of them. */
const OTHER = "_OTHER";
/** Names are short; one that is not keeps no more than this. */
export const MOST_CHARACTERS = 200;
/** Labels are what there can be too many of: they leave a quarter of the room to rows without. */
const SHARE_OF_LABELLED = 0.75;

/** All rows of one endpoint, model and band, by label. */
type Route = Map<string | null, Row>;

export class Tails {
  readonly calendar: Calendar;
  readonly #maxRows: number;
  readonly #routes = new Map<string, Route>();
  #size = 0;

  constructor(windowMs: number, maxRows = 256) {
    this.calendar = new Calendar(windowMs);
    this.#maxRows = maxRows;
  }

  /** The row of that key, or the one that takes its samples when there is no room for more. */
  row({ endpoint, model, label, band }: StatsKey): Row {
    const key = { endpoint: clipped(endpoint), model: clipped(model), label: label && clipped(label), band };
    return this.#route(key)?.get(key.label) ?? this.#open(key);
  }

  /** What a limit is taken from: the rows of all labels. */
  rowsOf(endpoint: string, model: string, band: StatsKey["band"]): readonly Row[] {
    return [...(this.#route({ endpoint: clipped(endpoint), model: clipped(model), band })?.values() ?? [])];
  }

  *rows(): Generator<Row> {
    for (const route of this.#routes.values())
      for (const row of route.values()) if (row.stretches().size > 0) yield row;
  }

  #open(key: StatsKey): Row {
    const mayHaveLabel = () =>
      key.label === null || key.label === OTHER || this.#size < this.#maxRows * SHARE_OF_LABELLED;
    const mayOpen = () => key.endpoint === OTHER || this.#size < this.#maxRows;
    if (!mayHaveLabel() || !mayOpen()) this.#forget();
    if (!mayHaveLabel()) return this.row({ ...key, label: OTHER });
    if (!mayOpen()) return this.row({ endpoint: OTHER, model: OTHER, label: null, band: key.band });
    const route: Route = this.#route(key) ?? new Map();
    const [sibling] = route.values();
    const row = new Row(key, sibling?.recent ?? new Recent(), this.calendar);
    this.#routes.set(routeName(key), route.set(key.label, row));
    this.#size++;
    return row;
  }

  /** Makes room: rows without a sample in the window go. */
  #forget(): void {
    for (const [name, route] of this.#routes) {
      for (const [label, row] of route) if (row.stretches().size === 0 && route.delete(label)) this.#size--;
      if (route.size === 0) this.#routes.delete(name);
    }
  }

  #route(key: Omit<StatsKey, "label">): Route | undefined {
    return this.#routes.get(routeName(key));
  }
}

/** Unambiguous whatever the names contain. */
function routeName({ endpoint, model, band }: Omit<StatsKey, "label">): string {
  return `${band} ${model.length} ${model} ${endpoint}`;
}

function clipped(name: string): string {
  return name.length > MOST_CHARACTERS ? name.slice(0, MOST_CHARACTERS) : name;
}
