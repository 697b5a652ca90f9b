import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProjectManifest } from '@vid/project'
import type { VidError, Warning } from '@vid/protocol'

/** A project to be sent to another machine. */
export interface RemoteProject {
  /** Absolute path. */
  readonly projectDir: string
  /** Its files that are sent. */
  readonly manifest: ProjectManifest
  readonly entry: string
}

/** Texts about files that are not sent. */
export interface LeftBehindWords {
  /** The error if the entry file is not sent. */
  refuse(entry: string): VidError
  files(names: readonly string[]): Warning
  packages(names: readonly string[]): Warning
}

const findLeftBehind = async ({ projectDir, manifest: { files }, entry }: RemoteProject) => {
  // Installed with every renderer, but not with a program that only talks to a server.
  const assets = await import('@vid/assets')
  const workDir = await mkdtemp(join(tmpdir(), 'vid-remote-'))
  try {
    return await assets.findLeftBehind({ projectDir, files, entry, workDir })
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/**
 * Warns of files that a local render would read but the other side would lack; refuses a project without its entry
 * file.
 */
export const leftBehindWarnings = async (
  project: RemoteProject,
  words: LeftBehindWords,
): Promise<readonly Warning[]> => {
  const leftBehind = await findLeftBehind(project)
  if (leftBehind.entry) throw words.refuse(project.entry)
  const warnings: Warning[] = []
  if (leftBehind.files.length > 0) warnings.push(words.files(leftBehind.files))
  if (leftBehind.packages.length > 0) warnings.push(words.packages(leftBehind.packages))
  return warnings
}
