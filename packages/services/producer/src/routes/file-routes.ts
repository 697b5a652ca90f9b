import { ProducerProjectSchema, Sha256Schema } from '@vid/client/contract'
import { Type } from '@vid/protocol'
import { clientGone, fileReplies, limitedBody, sendFile, sendPublished } from '@vid/server'
import { fail } from '../errors.ts'
import type { ProducerParts } from './parts.ts'

const ZIP = 'application/zip'

const addProjects = ({ app, projects, settings }: ProducerParts): void => {
  // The route reads the body as it arrives.
  app.addContentTypeParser(ZIP, (_request, payload, done) => done(null, payload))

  const params = Type.Object({ digest: Sha256Schema })
  app.route({
    method: 'HEAD',
    url: '/projects/:digest',
    schema: {
      operationId: 'hasProject',
      summary: 'Whether the server has a project',
      tags: ['projects'],
      params,
      response: { 200: { description: 'The server has it.', type: 'null' } },
    },
    handler: async ({ owner, params: { digest } }, reply) => {
      const project = await projects.hold(owner, digest)
      if (!project) throw fail('VID_PRODUCER_PROJECT_UNKNOWN', { project: digest })
      project.release()
      return reply.send(null)
    },
  })
  app.put(
    '/projects/:digest',
    {
      config: { drains: true, uploadBytes: settings.uploadBytes },
      schema: {
        operationId: 'putProject',
        summary: 'Send a project that renders can name by its digest',
        tags: ['projects'],
        params,
        body: {
          // Without a type, because the check sees the stream and not its bytes.
          content: { [ZIP]: { schema: Type.Unsafe<unknown>({ format: 'binary' }) } },
        },
        response: { 200: ProducerProjectSchema },
      },
    },
    async (request, reply) => {
      const { digest } = request.params
      const signal = clientGone(reply)
      // An announced length is checked earlier; a client may omit it.
      const stream = limitedBody(request.body as import('node:stream').Readable, settings.uploadBytes)
      const project = await projects.receiveZip(request.owner, stream, { signal, expected: digest })
      project.release()
      const { files } = project.manifest
      return {
        success: true as const,
        requestId: request.id,
        project: digest,
        files: files.length,
        bytes: files.reduce((sum, { length }) => sum + length, 0),
      }
    },
  )
}

const Token = Type.String({ minLength: 1, maxLength: 128 })

const addOutputs = ({ app, outputs }: ProducerParts): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/outputs/:token',
    schema: {
      operationId: 'getOutput',
      summary: 'Download a result, or a range of its bytes',
      tags: ['render'],
      params: Type.Object({ token: Token }),
      response: fileReplies,
    },
    handler: async (request, reply) => {
      const output = outputs.find(request.owner, request.params.token)
      if (!output) throw fail('VID_PRODUCER_OUTPUT_UNKNOWN', {})
      reply.header('cache-control', 'private, no-store')
      const { path, type, name, digest, mark } = output
      return sendFile(request, reply, { path, type, name, etag: `"${digest}"`, mark })
    },
  })
}

const addStreams = ({ app, streams }: ProducerParts): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/streams/:token/:name',
    config: { public: true },
    schema: {
      operationId: 'getStream',
      summary: 'A playlist or a part of a video that is rendered, by its address',
      tags: ['render'],
      params: Type.Object({
        token: Token,
        name: Type.String({ minLength: 1, maxLength: 128 }),
      }),
      response: fileReplies,
    },
    handler: async (request, reply) => {
      const { token, name } = request.params
      const folder = streams.folderOf(token)
      if (folder === undefined) throw fail('VID_PRODUCER_OUTPUT_UNKNOWN', {})
      reply.header('referrer-policy', 'no-referrer')
      return sendPublished(request, reply, { folder, name })
    },
  })
}

/** Adds the routes that upload projects, download outputs and play videos. */
export const addTransferRoutes = (parts: ProducerParts): void => {
  addProjects(parts)
  addOutputs(parts)
  addStreams(parts)
}
