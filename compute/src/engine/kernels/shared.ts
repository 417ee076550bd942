/**
 * What the kernels and their callers both have to know about the memory that they share, written down once:
 * this file is compiled into the kernels by AssemblyScript and imported by TypeScript as it stands, so that
 * it holds plain numbers only. Sizes and offsets are in bytes unless they count fields, which are doubles.
 */

/** Combinations that the simulation pass takes at once. */
export const LANES = 8;
/** Fields per lane and segment that the simulation pass writes. */
export const SEGMENT_FIELDS = 9;
/**
 * The fields of a segment, and of what summing up a branch writes, begin with the sums of r, r^2, r^3 and r^4
 * and the growth. Which one is what behind them: the value over its high is a segment's only, since it runs on.
 */
export const SQUARES_FIELD = 1;
export const CUBES_FIELD = 2;
export const FOURTHS_FIELD = 3;
export const GROWTH_FIELD = 4;
export const SEGMENT_LOWEST_FIELD = 6;
export const SEGMENT_PRODUCTS_FIELD = 7;
export const SEGMENT_BELOW_FIELD = 8;
export const BRANCH_LOWEST_FIELD = 5;
export const BRANCH_PRODUCTS_FIELD = 6;
export const BRANCH_BELOW_FIELD = 7;

/** Fields per lane and segment, and per lane and piece, that summing up a branch writes. */
export const BRANCH_SUM_FIELDS = 8;
export const PIECE_FIELDS = 3;
/**
 * Room for segments where both branches are added up: ten statistics blocks, two trailing returns, an
 * out-of-sample date with two more, and the end.
 */
export const SUMMED_SEGMENTS = 20;
/**
 * Bytes of a combination that both branches are added up of, and where what is of all its days begins, behind
 * five fields per segment.
 */
export const RUN_OTHERS = 5 * 8 * SUMMED_SEGMENTS;
export const RUN_BYTES = RUN_OTHERS + 4 * 8;
/** A piece of a mask: first day, end day, segment (i32). */
export const PIECE_BYTES = 12;
export const PIECE_SEGMENT = 8;

/** Fields of a record of a sequence of decisions, and of what a combination has added up. */
export const RECORD_FIELDS = 8;
/**
 * Fields of a sequence, and of a combination, that compare it with the benchmark: sums of products, and of
 * squares below 0.
 */
export const COMPARED_FIELDS = 2;
/** Combinations whose steps are taken side by side: their results stay in the first-level cache. */
export const STEPPED_TOGETHER = 128;
/** Scratch that simulating sequences needs. */
export const SEQUENCE_SCRATCH = 6144;

/*
 * The plan of sequences: an area of 32-bit fields that all kernels of stretches read.
 */
/** First day of the contents, and their number. */
export const PLAN_DAY = 0;
export const PLAN_DAYS = 4;
/** Address of 16 bytes of 255, then 16 of 0: what is behind the end of a content must not count. */
export const PLAN_TAILS = 8;
export const TAIL_BYTES = 32;
/** Hash table of ids (u16, 0 is free) of a power of two of places: address and number of places. */
export const PLAN_PLACES = 12;
export const PLAN_PLACE_COUNT = 16;
/** Where the groups begin and end. */
export const PLAN_GROUPS = 20;
export const PLAN_GROUPS_END = 24;
/** Sequence (u16) of each combination of ids, its tuple. */
export const PLAN_TUPLES = 28;
/** Where the steps begin and end, and the operand that is the answer. */
export const PLAN_STEPS = 32;
export const PLAN_STEPS_END = 36;
export const PLAN_ANSWER = 40;
/** Contents of the distinct sequences, bytes of each, and their number, with those of stretches that wait. */
export const PLAN_CONTENTS = 48;
export const PLAN_CONTENT_BYTES = 52;
export const PLAN_COUNT = 56;
/** Tuple of each combination (u32). */
export const PLAN_TUPLE_OF = 60;
/** A combination (u16) of each tuple that there is, and their number. */
export const PLAN_SAMPLES = 64;
export const PLAN_EVALUATED = 68;
/** Hash and address of the answers of samples that are taken side by side. */
export const PLAN_HASHES = 72;
/**
 * What each distinct sequence trades (u32): days with a trade, plus 2^16 times the halves of the portfolio
 * that change hands.
 */
export const PLAN_COUNTS = 76;
/**
 * Several stretches can wait to be added up: tuples, a multiple of 8, and sequences of those before the
 * present one.
 */
export const PLAN_FIRST_TUPLE = 80;
export const PLAN_FIRST = 84;
export const PLAN_BYTES = 88;

/**
 * A group: addresses of the entry of each combination (u16) and of the id of each entry (u16), then the
 * multiplier of the id, and 4 bytes free.
 */
export const GROUP_BYTES = 16;
export const GROUP_IDS = 4;
export const GROUP_MULTIPLIER = 8;
/**
 * A step: where its results go, then the operands mask, then, else. An operand is 8 bytes: the address of the
 * columns by entry and that of the entry of each combination, or the address of a step's results and 0.
 */
export const STEP_BYTES = 28;
/** An input: address of the columns by entry (u32), bytes per day. */
export const INPUT_BYTES = 8;

/**
 * A slot of a portfolio: address of its codes by day (u32), 0 or the address of a share by day (u32), the
 * constant share (f64).
 */
export const SLOT_BYTES = 16;
export const SLOT_SHARES = 4;
export const SLOT_SHARE = 8;

/**
 * A holding whose ticker never changes: address of the returns that are earned (u32), shares as in a slot,
 * and the address of the returns that costs follow from (u32); 4 bytes free.
 */
export const PART_BYTES = 24;
export const PART_SHARES = 4;
export const PART_SHARE = 8;
export const PART_COSTS = 16;

/**
 * A combination of inverse volatility: its first day with a return (i32), the number of its tickers (i32),
 * and then its tickers.
 */
export const INVERSE_HEAD_BYTES = 8;
export const INVERSE_COUNT = 4;
/** A ticker of it: addresses of 1 / deviation, and of that of the day before grown by the day's return (u32 each). */
export const INVERSE_TICKER_BYTES = 8;
export const INVERSE_GROWN = 4;

/**
 * How a portfolio is traded that is not brought to its targets at every close: slippage (f64), corridor as a
 * fraction, negative where there is none (f64), address of a byte per day that is not 0 on trading days, 1
 * where orders are filled at the next close, 0 or the address of what cash earns by day, number of codes (u32
 * each); and, as answers, the value after the first day's costs, the turnover after the first trade, and the
 * days with a trade (f64 each).
 */
export const TRADING_SLIPPAGE = 0;
export const TRADING_CORRIDOR = 8;
export const TRADING_SCHEDULE = 16;
export const TRADING_IS_NEXT = 20;
export const TRADING_CASH = 24;
export const TRADING_CODES = 28;
export const TRADING_ENTRY = 32;
export const TRADING_TURNOVER = 40;
export const TRADING_TRADES = 48;
export const TRADING_BYTES = 56;
/**
 * What trading keeps per code: weight held in units of value, target (f64 each), whether it is in the list
 * (u32), 4 bytes free.
 */
export const HELD_BYTES = 24;
export const HELD_TARGET = 8;
export const HELD_IS_LISTED = 16;
/** An entry of the list of codes in use, behind what is kept (u32). */
export const LISTED_BYTES = 4;
