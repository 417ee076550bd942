import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { namesServer } from './await-servers.ts';

it('may have to wait as soon as one server is named, whichever it is', () => {
  expect(namesServer(readConfig({}))).toBe(false);
  const servers = {
    EVENTSTORE_URL: 'esdb://localhost:2113',
    KAFKA_BROKERS: 'localhost:9092',
    MONGODB_URL: 'mongodb://localhost:27017',
    CLICKHOUSE_URL: 'http://localhost:8123',
  };
  for (const [name, address] of Object.entries(servers))
    expect(namesServer(readConfig({ [name]: address })), name).toBe(true);
});
