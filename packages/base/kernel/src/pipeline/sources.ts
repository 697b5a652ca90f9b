import type { KernelHooks, SourceJob } from '../contracts/hooks.ts'
import type { SourceFiles } from '../contracts/source-files.ts'

/** Whether a media source is an address, of whatever scheme, rather than a path in the project. */
export const isSourceAddress = (src: string): boolean => /^[a-z][a-z\d+.-]+:/i.test(src)

/**
 * Asks the hook `source` for the file behind a media source, once in a render: whatever happens to a server meanwhile,
 * page, plan and sound use the same file. The answers belong to the render, so no other render sees them.
 */
export const createSources = (
  { source }: Pick<KernelHooks, 'source'>,
  render: Pick<SourceJob, 'projectDir' | 'signal' | 'reading' | 'warn'>,
): SourceFiles => {
  const files = new Map<string, Promise<string | undefined>>()
  return {
    file(src) {
      const file = files.get(src) ?? source.promise({ ...render, src })
      files.set(src, file)
      return file
    },
  }
}

/** Finds no source: for a plugin that is called outside of a render. */
export const noSources: SourceFiles = { file: async () => undefined }
