import {
  type ProducerRender,
  ProducerRenderSchema,
  type ProducerSnapshot,
  ProducerSnapshotSchema,
} from '@vid/kernel'
import { loadProjectConfig } from '@vid/render'
import type { FastifyRequest } from 'fastify'
import { type Composition, checkRender, type IntakeParts, readRequest } from './intake.ts'
import type { Job } from './job.ts'
import type { Service } from './service.ts'

/** What requests are accepted with. */
export interface AcceptParts extends IntakeParts {
  readonly service: Service
}

/** Runs with the id of a request taken, so that no other of the same id is accepted meanwhile. */
const withId = async <T>(
  service: Service,
  { owner, id }: FastifyRequest,
  accept: () => Promise<T>,
): Promise<T> => {
  const { release } = service.reserve(owner, id)
  try {
    return await accept()
  } finally {
    release()
  }
}

/** Runs a check, and lets go of the project when it refuses. */
const checked = async <T>({ project }: Composition, check: () => Promise<T> | T): Promise<T> => {
  try {
    return await check()
  } catch (thrown) {
    project?.release()
    throw thrown
  }
}

const placeOf = ({ project, projectDir }: Composition) => ({
  project,
  projectDir: project ? undefined : projectDir,
})

/** Reads, checks and accepts a render; `signal` aborts when its client leaves before that. */
export const acceptRender = (
  request: FastifyRequest,
  parts: AcceptParts,
  signal: AbortSignal,
): Promise<Job> =>
  withId(parts.service, request, async () => {
    const { id: requestId, owner } = request
    const { body, composition } = await readRequest<ProducerRender>(
      request,
      ProducerRenderSchema,
      parts,
      signal,
    )
    const { outputPath } = await checked(composition, () => checkRender(body, composition, parts))
    const place = placeOf(composition)
    return parts.service.accept({ requestId, owner, kind: 'render', body, outputPath, ...place })
  })

/** Reads, checks and accepts a request for stills. */
export const acceptSnapshot = (
  request: FastifyRequest,
  parts: AcceptParts,
  signal: AbortSignal,
): Promise<Job> =>
  withId(parts.service, request, async () => {
    const { id: requestId, owner } = request
    const { body, composition } = await readRequest<ProducerSnapshot>(
      request,
      ProducerSnapshotSchema,
      parts,
      signal,
    )
    const { preset, network } = body
    const asked = { ...(preset !== undefined && { preset }), ...(network !== undefined && { network }) }
    await checked(composition, () => loadProjectConfig(composition.projectDir, asked, parts.context))
    return parts.service.accept({ requestId, owner, kind: 'snapshot', body, ...placeOf(composition) })
  })
