import { eventSentence } from '@quantloom/domain/account-history/projection';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { eventCatalogue, upcast } from '@quantloom/domain/kernel/event-type';
import { streamName } from '@quantloom/domain/kernel/handle-command';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { StrategyEvent } from '@quantloom/domain/strategy/events';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { tradingBotAt } from '@quantloom/domain/strategy/view';
import { botAnswer } from '@quantloom/http/documents/trees';
import { RawJson } from '@quantloom/http/routes';
import { fileNameOf } from './file-names.ts';
import type { ArchiveFile } from './zip-files.ts';

/**
 * Few, because each may carry a tree; and none is waited for with a reading open while a slow client takes
 * the one before.
 */
const READ_AT_ONCE = 10;
const catalogue = eventCatalogue(strategyStream.events);

/**
 * The files of one strategy, read once from its stream: each revision of its tree, what became of it, and its
 * history.
 */
export async function* strategyFiles(
  eventStore: EventStore,
  { id, name, updatedAt }: { readonly id: string; readonly name: string; readonly updatedAt: string },
): AsyncGenerator<ArchiveFile> {
  const folder = `strategies/${fileNameOf(name, id)}`;
  const history: object[] = [];
  let state = strategyStream.decider.initialState;
  for await (const recorded of forwards(eventStore, streamName(strategyStream, id))) {
    const event = upcast(catalogue, recorded) as unknown as RecordedEvent<StrategyEvent>;
    const { revision, type, metadata } = event;
    state = strategyStream.decider.evolve(state, event as unknown as StrategyEvent);
    history.push({
      revision,
      at: metadata.recordedAt,
      event: type,
      summary: eventSentence(type),
      by: metadata.actor.kind,
    });
    // Whatever carries variables carries the tree that they are in.
    if (!('variables' in event.data)) continue;
    yield {
      path: `${folder}/revisions/${String(revision).padStart(4, '0')}.json`,
      content: await jsonOf(eventStore, tradingBotAt({ state, revision })),
      changedAt: metadata.recordedAt,
    };
  }
  if (state.status === 'none') return;
  const bot = tradingBotAt({ state, revision: history.length - 1 });
  yield { path: `${folder}/current.json`, content: await jsonOf(eventStore, bot), changedAt: updatedAt };
  yield { path: `${folder}/history.json`, content: JSON.stringify(history, null, 2), changedAt: updatedAt };
}

/** As the API answers it, which the import reads; a large tree as the text that nobody has parsed. */
async function jsonOf(eventStore: EventStore, bot: Parameters<typeof botAnswer>[1]): Promise<string> {
  const answer = await botAnswer(eventStore, bot);
  return answer instanceof RawJson ? answer.text : JSON.stringify(answer);
}

async function* forwards(eventStore: EventStore, stream: string): AsyncGenerator<RecordedEvent> {
  let fromRevision = 0;
  for (;;) {
    const events: RecordedEvent[] = [];
    for await (const event of eventStore.readStream(stream, { fromRevision, maxCount: READ_AT_ONCE }))
      events.push(event);
    yield* events;
    const last = events.at(-1);
    if (!last || events.length < READ_AT_ONCE) return;
    fromRevision = last.revision + 1;
  }
}
