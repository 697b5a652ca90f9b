import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return [] // It is no folder, or none that can be read.
  }
}

/** The file of a project whose path differs from a missing one in upper and lower case only. */
export const inOtherCase = (dir: string, file: string): string | undefined => {
  let path = ''
  for (const part of file.split('/')) {
    const names = namesIn(join(dir, path))
    const name = names.includes(part) ? part : names.find((candidate) => candidate.toLowerCase() === part.toLowerCase())
    if (name === undefined) return undefined
    path = path === '' ? name : `${path}/${name}`
  }
  return path
}
