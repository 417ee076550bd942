export const unknownTopic = (topic: string) =>
  new Error(`There is no topic ${topic}: create it with ensureTopics`);
