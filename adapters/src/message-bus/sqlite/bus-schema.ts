/** Tables of the bus; `offset` is the place within a partition, from 0, without gaps. */
export const BUS_SCHEMA = [
  `CREATE TABLE bus_topics (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE bus_partitions (
     topic INTEGER NOT NULL, partition INTEGER NOT NULL,
     first_offset INTEGER NOT NULL DEFAULT 0,
     next_offset INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (topic, partition)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE bus_messages (
     topic INTEGER NOT NULL, partition INTEGER NOT NULL, "offset" INTEGER NOT NULL,
     published_at INTEGER NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL, value TEXT NOT NULL,
     PRIMARY KEY (topic, partition, "offset")
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE bus_groups (name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE bus_members (
     group_name TEXT NOT NULL, member TEXT NOT NULL, topics TEXT NOT NULL, expires_at INTEGER NOT NULL,
     PRIMARY KEY (group_name, member)
   ) STRICT, WITHOUT ROWID;
   -- next_offset: first message the group has not handled; owner: the member that may handle it.
   CREATE TABLE bus_offsets (
     group_name TEXT NOT NULL, topic INTEGER NOT NULL, partition INTEGER NOT NULL,
     next_offset INTEGER NOT NULL, owner TEXT,
     PRIMARY KEY (group_name, topic, partition)
   ) STRICT, WITHOUT ROWID;`,
];
