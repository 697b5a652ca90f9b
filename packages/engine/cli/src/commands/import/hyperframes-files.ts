import { readFile, stat } from 'node:fs/promises'
import { type ConvertedProject, convertHyperframes } from '@vid/core/hyperframes'
import { listProject, type ProjectFile } from '@vid/project'
import type { FolderFiles } from '../../new-folder.ts'
import type { ProjectPlace } from '../../new-project.ts'
import { gsapRules, gsapVersion } from '../init/gsap.ts'
import { commonFiles, configText, vidLines } from '../init/project-files.ts'
import { manifestFor } from './package-json.ts'

/** A project to write, and what is to be said about it. */
export interface ImportedProject extends Pick<ConvertedProject, 'renames' | 'notes'> {
  readonly files: FolderFiles
  /** Files that mean something to HyperFrames only. */
  readonly leftOut: readonly string[]
  /** Scripts of package.json that still call HyperFrames. */
  readonly scripts: readonly string[]
}

const CONVERTED = /\.(?:html?|css|m?js)$/i

/** Larger texts are data or bundled libraries. */
const MAX_TEXT_BYTES = 8 * 1024 ** 2

const LEFT_OUT =
  /^(?:hyperframes\.json|meta\.json|registry-item\.json|AGENTS\.md|CLAUDE\.md|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/

const RATE = /^(?:\d+(?:\/\d+)?|23\.976|29\.97|59\.94)$/

/** The text of a file; undefined where it is none, or no valid UTF-8. */
const textOf = async ({ path, file }: ProjectFile): Promise<string | undefined> => {
  if (!CONVERTED.test(path) || (await stat(file)).size > MAX_TEXT_BYTES) return undefined
  const bytes = await readFile(file)
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : undefined
}

/** Folders that are left out of a project as results of a build, where a page names a file in one. */
const NAMED_FOLDER = /["'(=]\s*(?:\.?\/)?(dist|coverage)\//g

/** Reads the texts among files, by path. */
const readTexts = async (files: readonly ProjectFile[], signal: AbortSignal) => {
  const texts: Record<string, string> = {}
  for (const file of files) {
    signal.throwIfAborted()
    const text = await textOf(file)
    if (text !== undefined) texts[file.path] = text
  }
  return texts
}

/** The rules that take in what the pages of a folder name. */
const rulesFor = async (folder: string, signal: AbortSignal): Promise<string[]> => {
  const pages = (await listProject(folder, { signal })).filter(({ path }) => !path.includes('/'))
  const text = Object.values(await readTexts(pages, signal)).join('\n')
  return [...new Set([...text.matchAll(NAMED_FOLDER)].map(([, name]) => `!/${name}`))]
}

/** The rules of the new project. */
const rulesText = (rules: readonly string[]): FolderFiles =>
  rules.length === 0 ? {} : { '.vidignore': `${rules.join('\n')}\n` }

/** Reads a project of HyperFrames, and makes one of vid from it for a place. */
export const readHyperframes = async (
  folder: string,
  { folder: into }: Pick<ProjectPlace, 'folder'>,
  signal: AbortSignal,
): Promise<ImportedProject> => {
  const rules = await rulesFor(folder, signal)
  const listed = await listProject(folder, { signal, rules })
  const files = listed.filter(({ path }) => !LEFT_OUT.test(path))
  const texts = await readTexts(files, signal)
  const { texts: converted, renames, notes, fps } = convertHyperframes(texts)
  const gsap = await gsapVersion(Object.values(converted))
  const manifest = await manifestIn(files, gsap, into)
  const copies = files.map(({ path, file }) => [
    path,
    converted[path] === texts[path] ? { copyOf: file } : (converted[path] ?? ''),
  ])
  const rate = fps !== null && RATE.test(fps) ? fps : '30'
  return {
    files: {
      ...(await commonFiles()),
      'vid.config.ts': configText(`{ fps: ${rate.includes('/') ? `'${rate}'` : rate} }`),
      ...Object.fromEntries(copies),
      ...rulesText(gsap === undefined ? rules : [...rules, ...gsapRules]),
      'package.json': manifest.text,
    },
    renames,
    notes: [...notes, ...manifest.notes],
    scripts: manifest.left,
    leftOut: listed.filter(({ path }) => LEFT_OUT.test(path)).map(({ path }) => path),
  }
}

const BROKEN_MANIFEST: ImportedProject['notes'][number] = {
  code: 'import/package-json',
  severity: 'warning',
  file: 'package.json',
  line: 1,
  selector: null,
  message: 'package.json is no JSON object, and is copied as it is.',
  hint: 'Correct it, and put @vid/cli in the place of hyperframes.',
}

const manifestIn = async (files: readonly ProjectFile[], gsap: string | undefined, into: string) => {
  const packageFile = files.find(({ path }) => path === 'package.json')
  const text = packageFile ? await readFile(packageFile.file, 'utf8') : '{ "private": true, "type": "module" }'
  const manifest = manifestFor(text, await vidLines(into), gsap)
  return manifest ? { ...manifest, notes: [] } : { text, left: [], notes: [BROKEN_MANIFEST] }
}
