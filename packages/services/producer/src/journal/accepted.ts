import type { ProducerRender, ProducerSnapshot } from '@vid/client/contract'
import { parseAs, type Static, Type } from '@vid/protocol'

/** An accepted request, as stored. */
export const AcceptedSchema = Type.Object({
  version: Type.Literal(1),
  requestId: Type.String(),
  /** The sender: a fingerprint of the token, empty without tokens. */
  owner: Type.String(),
  /** Position in the order of acceptance. */
  sequence: Type.Integer({ minimum: 0 }),
  kind: Type.Union([Type.Literal('render'), Type.Literal('snapshot')]),
  /** The checked body without the source of an entry file, which is in the project. */
  body: Type.Record(Type.String(), Type.Unknown()),
  /** Absolute folder of the composition; null if it was uploaded. */
  projectDir: Type.Union([Type.String(), Type.Null()]),
  /** Digest of the uploaded project. */
  project: Type.Union([Type.String(), Type.Null()]),
  /** Absolute path requested for the output. */
  outputPath: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601. */
  acceptedAt: Type.String(),
  /** How often a process has started to render it. */
  attempts: Type.Integer({ minimum: 0 }),
  /** When it was first started (ISO 8601). */
  startedAt: Type.Optional(Type.String()),
})

/** An accepted request. */
export type Accepted = Readonly<
  Omit<Static<typeof AcceptedSchema>, 'kind' | 'body'> &
    (
      | { readonly kind: 'render'; readonly body: ProducerRender }
      | { readonly kind: 'snapshot'; readonly body: ProducerSnapshot }
    )
>

/** Parses a stored request; undefined if it is damaged or of another version. */
export const readAccepted = (text: string): Accepted | undefined =>
  parseAs(AcceptedSchema, text) as Accepted | undefined
