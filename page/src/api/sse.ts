//! Server-sent events, read from a fetch: with POST bodies, cancellation and resumption.

export interface ServerEvent {
  event: string;
  data: string;
  id: string | null;
}

/** Cuts a stream of text into events. Feed it pieces of any length. */
export class EventParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | null = null;

  push(text: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    this.#rest += text;
    for (;;) {
      const end = /\r\n|\n|\r(?=[^])/.exec(this.#rest);
      if (!end) return events;
      const line = this.#rest.slice(0, end.index);
      this.#rest = this.#rest.slice(end.index + end[0].length);
      const event = this.#line(line);
      if (event) events.push(event);
    }
  }

  #line(line: string): ServerEvent | null {
    if (line === '') {
      const event = this.#data.length > 0 ? { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id } : null;
      this.#event = '';
      this.#data = [];
      return event;
    }
    if (line.startsWith(':')) return null;
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#id = value;
    return null;
  }
}

export interface StreamOptions {
  body?: unknown;
  signal: AbortSignal;
  on: (event: ServerEvent) => void;
  /** Tells the event after which nothing more comes. */
  last: (event: ServerEvent) => boolean;
  /** Told when the connection breaks and is tried again. */
  lost?: () => void;
  /** Milliseconds before the first new try; doubled each time. */
  patience?: number;
}

/** Reads events until the last one; a broken connection is taken up where it broke. */
export async function stream(open: (init: RequestInit) => Promise<Response>, options: StreamOptions): Promise<void> {
  let lastId: string | null = null;
  let tries = 0;
  for (;;) {
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' };
      if (options.body !== undefined) headers['content-type'] = 'application/json';
      if (lastId !== null) headers['last-event-id'] = lastId;
      const answer = await open({
        method: options.body === undefined ? 'GET' : 'POST',
        headers,
        signal: options.signal,
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      });
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new EventParser();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        tries = 0;
        for (const event of parser.push(value)) {
          if (event.id !== null) lastId = event.id;
          options.on(event);
          if (options.last(event)) {
            await reader.cancel();
            return;
          }
        }
      }
      throw new TypeError('the stream ended early');
    } catch (fault) {
      const network = fault instanceof TypeError;
      if (options.signal.aborted || !network || tries >= 4) throw fault;
      options.lost?.();
      await new Promise((resolve) => setTimeout(resolve, (options.patience ?? 400) * 2 ** tries));
      tries += 1;
    }
  }
}
