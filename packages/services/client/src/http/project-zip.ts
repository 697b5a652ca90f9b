import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProjectManifest, writeProjectZip } from '@vid/project'

/** A folder that is sent as a zip. */
export interface ZipSource {
  readonly folder: string
  readonly manifest: ProjectManifest
  /** Folder for the zip while it is sent; a temporary one if left out. */
  readonly workDir?: string | undefined
}

/** Runs work with a zip of a project, which is removed afterwards. */
export const withProjectZip = async <T>(
  { folder, manifest, workDir }: ZipSource,
  signal: AbortSignal,
  work: (zip: string, facts: { readonly bytes: number; readonly digest: string }) => Promise<T>,
): Promise<T> => {
  const tempDir = workDir === undefined ? await mkdtemp(join(tmpdir(), 'vid-client-')) : undefined
  const zip = join(tempDir ?? workDir ?? '', `project-${randomUUID()}.zip`)
  try {
    const facts = await writeProjectZip(folder, manifest, zip, { signal })
    return await work(zip, facts)
  } finally {
    await rm(tempDir ?? zip, { recursive: true, force: true, maxRetries: 3 })
  }
}
