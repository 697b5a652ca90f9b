import { stat } from 'node:fs/promises'

/** Identity of the files that a command names, such as a model: their sizes and when they were changed. */
export const programBuild = async (command: readonly string[]): Promise<string> => {
  const parts = await Promise.all(
    command.map(async (word) => {
      const facts = await stat(word).catch(() => undefined)
      return facts?.isFile() ? [`${facts.size}-${Math.round(facts.mtimeMs)}`] : []
    }),
  )
  return parts.flat().join(' ')
}
