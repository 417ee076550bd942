import {
  type EvaluationMessage,
  MESSAGE_ID_HEADER,
  readEvaluation,
} from '@quantloom/domain/contracts/messages/jobs';
import { CONSUMER_GROUPS, TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type {
  BusMessage,
  BusSubscription,
  MessageBus,
  MessageContext,
} from '@quantloom/domain/ports/message-bus';
import { evaluateStrategy } from './evaluation.ts';
import type { Evaluators } from './nightly.ts';
import type { NightlyDeps } from './nightly-deps.ts';

const HEARTBEAT_MS = 5_000;
/**
 * An evaluation that takes longer than this hangs: no more signs of life are given, and somebody else is
 * asked. A month of missed nights is well below.
 */
const DEADLINE_MS = 1_800_000;

/** Whoever takes part in the group of evaluations, asked over the bus: one of them for each strategy, in order. */
export async function evaluatorsOnBus(bus: MessageBus): Promise<Evaluators> {
  await bus.ensureTopics([TOPICS.evaluations]);
  const { name } = TOPICS.evaluations;
  return {
    ask: (evaluations) =>
      bus.publish(
        name,
        evaluations.map((value) => ({
          key: value.strategyId,
          value,
          headers: { [MESSAGE_ID_HEADER]: messageId(value) },
        })),
      ),
    areBusy: async () => (await bus.lag(CONSUMER_GROUPS.evaluations, name)) > 0,
  };
}

/** The same evaluation asked for by two processes has the same id. */
const messageId = ({ strategyId, dataVersion, round }: EvaluationMessage): string =>
  `${strategyId}:${dataVersion}:${round}`;

/** Takes evaluations from the bus, one at a time: people's runs go on beside. */
export async function startEvaluating(
  deps: NightlyDeps & { readonly bus: MessageBus },
): Promise<Pick<BusSubscription, 'close'>> {
  await deps.bus.ensureTopics([TOPICS.evaluations]);
  return await deps.bus.subscribe(
    { group: CONSUMER_GROUPS.evaluations, topics: [TOPICS.evaluations.name], concurrency: 1 },
    (message, context) => evaluate(deps, message, context),
  );
}

async function evaluate(deps: NightlyDeps, message: BusMessage, context: MessageContext): Promise<void> {
  const evaluation = readEvaluation(message.value);
  if (!evaluation)
    throw new Error(`Unreadable evaluation at ${message.topic}/${message.partition}@${message.offset}`);
  const began = performance.now();
  const beat = setInterval(() => {
    if (performance.now() - began < DEADLINE_MS) void context.heartbeat();
  }, HEARTBEAT_MS);
  try {
    await evaluateStrategy(deps, evaluation, context.signal);
  } finally {
    clearInterval(beat);
  }
}
