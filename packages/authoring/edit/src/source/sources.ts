import { type LintFile, type LintProject, type ProjectFiles, readProject } from '@vid/core/source-model'
import { digestOf } from '@vid/system'
import type { ProjectDisk } from './project-disk.ts'
import { bytesOfText } from './source-text.ts'
import { readTree, type SourceTree } from './source-tree.ts'

/** A file that is copied into the project. */
export interface FileCopy {
  /** Absolute path of the original. */
  readonly from: string
  readonly digest: string
  readonly bytes: number
}

/** What is staged: texts that differ from the disk, and files that come. */
export interface Staged {
  readonly texts: ReadonlyMap<string, string>
  readonly copies: ReadonlyMap<string, FileCopy>
}

/** The sources of a composition with what is staged. */
export interface Sources {
  /** The project, with its links resolved. */
  readonly dir: string
  readonly entry: string
  readonly project: LintProject
  readonly files: ProjectFiles
  /** Files that are staged to come, by their paths in the project. */
  readonly copies: Staged['copies']
  /** The text of a file that the composition uses; undefined for others. */
  textOf(file: string): string | undefined
  digestOf(file: string): string | undefined
  htmlFile(file: string): LintFile | undefined
  treeOf(file: LintFile): SourceTree
  /** How often a file is shown. */
  instancesOf(file: string): number
}

/** Reads files as they are staged, else from the disk. */
export const stagedFiles = (
  disk: ProjectDisk,
  { texts, copies }: Staged,
  has: ProjectFiles['has'],
  signal?: AbortSignal,
): ProjectFiles => ({
  has: (file) => texts.has(file) || copies.has(file) || has(file),
  readText: async (file) => texts.get(file) ?? (await disk.read(file, signal))?.text ?? null,
})

const instances = ({ hosts, files }: LintProject) => {
  const counts = new Map<string, number>()
  const count = (file: string): number => {
    const before = counts.get(file)
    if (before !== undefined) return before
    const uses = hosts.filter((host) => host.file === file && host.outcome === 'read')
    const total = files.find((other) => other.file === file)?.isEntry
      ? 1
      : uses.reduce((sum, host) => sum + count(host.from), 0)
    counts.set(file, total)
    return total
  }
  return count
}

/** Reads an entry and everything that it embeds, as staged. */
export const readSources = async (
  disk: ProjectDisk,
  entry: string,
  staged: Staged,
  files: ProjectFiles,
  signal?: AbortSignal,
): Promise<Sources> => {
  const html = (await files.readText(entry)) ?? ''
  const project = await readProject(disk.dir, { file: entry, html }, { files, ...(signal && { signal }) })
  const trees = new Map<string, SourceTree>()
  const textOf = (file: string) => staged.texts.get(file) ?? disk.known(file)?.text
  return {
    dir: disk.dir,
    entry,
    project,
    files,
    copies: staged.copies,
    textOf,
    digestOf(file) {
      const text = textOf(file)
      return text === undefined
        ? undefined
        : digestOf(bytesOfText({ text, hasMark: disk.known(file)?.hasMark ?? false }))
    },
    htmlFile: (file) => project.files.find((other) => other.file === file),
    treeOf({ file, html: text }) {
      const tree = trees.get(file) ?? readTree(text)
      trees.set(file, tree)
      return tree
    },
    instancesOf: instances(project),
  }
}
