export const unknownTopic = (topic: string) =>
  Object.assign(new Error(`There is no topic ${topic}: create it with ensureTopics`), {
    code: 'unknown_topic',
  });
