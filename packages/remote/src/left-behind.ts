import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VidError, Warning } from '@vid/kernel'
import type { Manifest } from '@vid/project'

/** A project that is about to be sent to another machine. */
export interface SentProject {
  /** Absolute. */
  readonly projectDir: string
  /** What is sent of it. */
  readonly manifest: Manifest
  readonly entry: string
}

/** How a surface words what is not sent. */
export interface LeftBehindWords {
  /** The error of a project whose entry file is not sent. */
  refuse(entry: string): VidError
  files(names: readonly string[]): Warning
  packages(names: readonly string[]): Warning
}

const findLeftBehind = async ({ projectDir, manifest: { files }, entry }: SentProject) => {
  // Installed with everything that renders; a program that only talks to a server does without.
  const assets = await import('@vid/assets')
  const workDir = await mkdtemp(join(tmpdir(), 'vid-remote-'))
  try {
    return await assets.findLeftBehind({ projectDir, files, entry, workDir })
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** The warnings of what a render here would read and the other side would not have; without its entry file, a project is refused. */
export const leftBehindWarnings = async (project: SentProject, words: LeftBehindWords): Promise<readonly Warning[]> => {
  const leftBehind = await findLeftBehind(project)
  if (leftBehind.entry) throw words.refuse(project.entry)
  const warnings: Warning[] = []
  if (leftBehind.files.length > 0) warnings.push(words.files(leftBehind.files))
  if (leftBehind.packages.length > 0) warnings.push(words.packages(leftBehind.packages))
  return warnings
}
