import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  canonicalJson,
  defineStore,
  type InputFile,
  machineLocal,
  type SegmentJob,
  Type,
  withDefault,
} from '@vid/kernel'

/** What stands in the first line of a kept file, before the segment itself. */
interface Header {
  /** What follows the path of the job. */
  readonly suffix: string
  readonly digest: string
  readonly inputs: readonly InputFile[]
}

/** Names the text of the composition among the files that a page was drawn from. */
const COMPOSITION = 'vid:composition'

const digestOf = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

/** Another composition, variable, browser, encoder or place gives another name. */
const nameOf = ({ plan, index }: SegmentJob) => digestOf(canonicalJson([plan, index]))

/** Whether a file that a page was drawn from can be looked at again, and is the same. */
const isSame = async ({ source, digest }: InputFile, { plan }: SegmentJob, projectDir: string) => {
  if (source === COMPOSITION) return digest === plan.composition.digest
  if (/^\w+:/.test(source)) return false
  return digest === (await readFile(join(projectDir, source)).then(digestOf, () => null))
}

const areSame = async (inputs: readonly InputFile[], job: SegmentJob, projectDir: string) =>
  (await Promise.all(inputs.map((read) => isSame(read, job, projectDir)))).every(Boolean)

/** A kept segment; undefined when there is none, or when it is damaged. */
const take = async (path: string) => {
  try {
    const bytes = await readFile(path)
    const end = bytes.indexOf('\n')
    const header = JSON.parse(bytes.toString('utf8', 0, end)) as Header
    const content = bytes.subarray(end + 1)
    return digestOf(content) === header.digest ? { header, content } : undefined
  } catch {
    return undefined
  }
}

/** Writes beside the place and renames, so that nobody reads a part. */
const keep = async (path: string, header: Header, content: Uint8Array) => {
  const fresh = `${path}.${randomUUID()}`
  try {
    await writeFile(fresh, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), content]))
    await rename(fresh, path)
  } finally {
    await rm(fresh, { force: true })
  }
}

/** Keeps finished segments in a folder, and gives them again when nothing that they were made of has changed. */
export default defineStore({
  name: '@vid/store-template',
  options: Type.Object({
    /** The folder, from that of the project. */
    folder: withDefault(machineLocal(Type.String({ minLength: 1 })), '.vid/template'),
  }),

  async segment(job, make, { options, projectDir, signal, warn }) {
    signal.throwIfAborted()
    const folder = resolve(projectDir, options.folder)
    const path = join(folder, nameOf(job))
    const kept = await take(path)
    if (kept && (await areSame(kept.header.inputs, job, projectDir))) {
      const file = `${job.path}${kept.header.suffix}`
      await writeFile(file, kept.content)
      return { file, reused: 'the same inputs' }
    }
    const made = await make.encode(make.frames())
    const inputs = await make.inputs()
    // A folder of images and further outputs are left to you.
    if (!inputs || made.more || (await stat(made.file)).isDirectory()) return made
    if (!(await areSame(inputs, job, projectDir))) return made
    try {
      const content = await readFile(made.file)
      await mkdir(folder, { recursive: true })
      await keep(
        path,
        { suffix: made.file.slice(job.path.length), digest: digestOf(content), inputs },
        content,
      )
    } catch (cause) {
      // The segment is there: not being able to keep it must not fail the render.
      warn({
        code: 'VID_TEMPLATE_UNWRITABLE',
        message: `a segment cannot be kept in ${folder}: ${String(cause)}`,
      })
    }
    return made
  },

  async clean({ options, projectDir }) {
    const folder = resolve(projectDir, options.folder)
    const names = await readdir(folder).catch(() => [])
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
    await rm(folder, { recursive: true, force: true })
    return sizes.reduce((sum, size) => sum + size, 0)
  },
})
