import { join } from 'node:path'
import type { ProducerRender, ProducerSource } from '@vid/client/contract'
import type { HeldProject } from '@vid/project'
import type { TSchema } from '@vid/protocol'
import { prepareRender, type RenderContext } from '@vid/render'
import { findProjectFile } from '@vid/system'
import type { FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import type { ProducerSettings } from '../options.ts'
import type { Projects } from '../projects/projects.ts'
import { readBody } from './body.ts'
import { checkEntryFile } from './entry-file.ts'
import { findOutputPath, findProjectDir } from './places.ts'
import { requestedSettings } from './render-settings.ts'

/** Dependencies of reading requests. */
export interface IntakeParts {
  readonly settings: ProducerSettings
  readonly projects: Projects
  /** Render context of the server, with the config of every render. */
  readonly context: RenderContext
  /** Absolute folder of the server, off limits to paths in requests. */
  readonly folder: string
}

/** The composition of a request: a folder on the server, or an uploaded project. */
export interface RequestedComposition {
  /** Absolute path. */
  readonly projectDir: string
  readonly project: HeldProject | undefined
}

/** A checked body with its checked composition. */
export interface ParsedRequest<T> {
  readonly body: T
  readonly composition: RequestedComposition
}

/** Refuses a composition without its entry file before anything waits for it. */
const requireEntry = async (folder: string, entry: string): Promise<void> => {
  if ((await findProjectFile(folder, entry)) === undefined)
    throw fail('VID_PRODUCER_MISSING', { field: 'entryFile', path: entry, what: 'file of the composition' })
}

/** Finds the composition of a body: `projectDir`, `html`, `project` or an uploaded zip. */
const findComposition = async (
  body: ProducerSource,
  zip: HeldProject | undefined,
  owner: string,
  { settings, projects, folder }: IntakeParts,
  signal: AbortSignal,
): Promise<RequestedComposition> => {
  const { projectDir, html, project, entryFile } = body
  const sources = Object.entries({ projectDir, html, project, projectZip: zip })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  if (sources.length !== 1) throw fail('VID_PRODUCER_SOURCE', { given: sources })
  const entry = checkEntryFile(entryFile)
  if (projectDir !== undefined) {
    const directory = await findProjectDir({ root: settings.root, serverFolder: folder }, projectDir)
    await requireEntry(directory, entry)
    return { projectDir: directory, project: undefined }
  }
  const heldProject =
    zip ??
    (html === undefined
      ? await projects.hold(owner, project ?? '')
      : await projects.receiveHtml(owner, entry, html, signal))
  if (!heldProject) throw fail('VID_PRODUCER_PROJECT_UNKNOWN', { project: project ?? '' })
  try {
    await requireEntry(heldProject.folder, entry)
  } catch (thrown) {
    // The caller releases its own zip.
    if (heldProject !== zip) heldProject.release()
    throw thrown
  }
  return { projectDir: heldProject.folder, project: heldProject }
}

/** Reads and checks a request with its composition, which the caller releases. */
export const readRequest = async <T extends ProducerSource>(
  request: FastifyRequest,
  schema: TSchema,
  parts: IntakeParts,
  signal: AbortSignal,
): Promise<ParsedRequest<T>> => {
  const { settings, projects } = parts
  const { body, zip } = await readBody<T, HeldProject>(
    request,
    schema,
    settings,
    (stream) => projects.receiveZip(request.owner, stream, { signal }),
    (heldProject) => heldProject.release(),
  )
  try {
    return { body, composition: await findComposition(body, zip, request.owner, parts, signal) }
  } catch (thrown) {
    zip?.release()
    throw thrown
  }
}

/** Checks the settings of a render before it is accepted; resolves to its output path. */
export const checkRender = async (
  body: ProducerRender,
  { projectDir }: RequestedComposition,
  { settings, context, folder }: IntakeParts,
): Promise<{ readonly outputPath: string | undefined }> => {
  const outputPath =
    body.outputPath === undefined
      ? undefined
      : await findOutputPath({ root: settings.outputRoot, serverFolder: folder }, body.outputPath)
  const output = outputPath ?? join(folder, 'check', 'video')
  await prepareRender(requestedSettings(body, { projectDir, output }, settings), context, {
    writes: outputPath !== undefined,
  })
  return { outputPath }
}
