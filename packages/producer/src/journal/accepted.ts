import { type ProducerRender, type ProducerSnapshot, parseAs, type Static, Type } from '@vid/kernel'

/** A request that the server has accepted, as it is kept. */
export const AcceptedSchema = Type.Object({
  version: Type.Literal(1),
  requestId: Type.String(),
  /** Who sent it: a mark of the token, empty without tokens. */
  owner: Type.String(),
  /** Place in the order of acceptance. */
  sequence: Type.Integer({ minimum: 0 }),
  kind: Type.Union([Type.Literal('render'), Type.Literal('snapshot')]),
  /** The checked body, without the text of an entry file, which is in the project. */
  body: Type.Record(Type.String(), Type.Unknown()),
  /** Absolute folder of the composition; null when it was sent. */
  projectDir: Type.Union([Type.String(), Type.Null()]),
  /** Digest of the project that was sent. */
  project: Type.Union([Type.String(), Type.Null()]),
  /** Absolute path that the request asks for. */
  outputPath: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601. */
  acceptedAt: Type.String(),
  /** How often a process has begun to render it. */
  attempts: Type.Integer({ minimum: 0 }),
  /** When a process began to render it first, in ISO 8601. */
  startedAt: Type.Optional(Type.String()),
})

/** A request that the server has accepted. */
export type Accepted = Readonly<
  Omit<Static<typeof AcceptedSchema>, 'kind' | 'body'> &
    (
      | { readonly kind: 'render'; readonly body: ProducerRender }
      | { readonly kind: 'snapshot'; readonly body: ProducerSnapshot }
    )
>

/** Reads a request that was kept; undefined when it is damaged or of another version. */
export const readAccepted = (text: string): Accepted | undefined =>
  parseAs(AcceptedSchema, text) as Accepted | undefined
