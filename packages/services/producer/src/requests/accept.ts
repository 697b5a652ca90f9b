import {
  type ProducerRender,
  ProducerRenderSchema,
  type ProducerSnapshot,
  ProducerSnapshotSchema,
} from '@vid/client/contract'
import type { TSchema } from '@vid/protocol'
import { loadProjectConfig } from '@vid/render'
import type { FastifyRequest } from 'fastify'
import type { BodyRoom } from './body-room.ts'
import { checkRender, type IntakeParts, type RequestedComposition, readRequest } from './intake.ts'
import type { ServerJob } from './job.ts'
import type { CheckedRequest, Service } from './service.ts'

/** Dependencies of accepting requests. */
export interface AcceptParts extends IntakeParts {
  readonly service: Service
  readonly bodies: BodyRoom
}

/** Runs work with a request's id reserved, so that no other request with the same id is accepted meanwhile. */
const withId = async <T>(service: Service, { owner, id }: FastifyRequest, accept: () => Promise<T>): Promise<T> => {
  const { release } = service.reserve(owner, id)
  try {
    return await accept()
  } finally {
    release()
  }
}

/** What the check before acceptance determines about a request. */
type Checked = Pick<CheckedRequest, 'outputPath'>

/** Reads, checks and accepts a request; releases an uploaded project if the check fails. */
const accept = <T extends ProducerRender | ProducerSnapshot>(
  request: FastifyRequest,
  parts: AcceptParts,
  { kind, schema, signal }: { kind: CheckedRequest['kind']; schema: TSchema; signal: AbortSignal },
  check: (body: T, composition: RequestedComposition) => Promise<Checked>,
): Promise<ServerJob> =>
  withId(parts.service, request, async () => {
    const { id: requestId, owner } = request
    const { body, composition } = await readRequest<T>(request, schema, parts, signal)
    const { project, projectDir } = composition
    const checked = await check(body, composition).catch((thrown) => {
      project?.release()
      throw thrown
    })
    const place = { project, projectDir: project ? undefined : projectDir }
    const job = await parts.service.accept({ requestId, owner, kind, body, ...place, ...checked })
    parts.bodies.accepted(request, job)
    return job
  })

/** Reads, checks and accepts a render; `signal` aborts if its client disconnects first. */
export const acceptRender = (request: FastifyRequest, parts: AcceptParts, signal: AbortSignal): Promise<ServerJob> =>
  accept<ProducerRender>(
    request,
    parts,
    { kind: 'render', schema: ProducerRenderSchema, signal },
    (body, composition) => checkRender(body, composition, parts),
  )

/** Reads, checks and accepts a request for stills. */
export const acceptSnapshot = (request: FastifyRequest, parts: AcceptParts, signal: AbortSignal): Promise<ServerJob> =>
  accept<ProducerSnapshot>(
    request,
    parts,
    { kind: 'snapshot', schema: ProducerSnapshotSchema, signal },
    async ({ preset, network }, { projectDir }) => {
      const overrides = { ...(preset !== undefined && { preset }), ...(network !== undefined && { network }) }
      await loadProjectConfig(projectDir, overrides, parts.context)
      return {}
    },
  )
