import { SHARED } from '@vid/edit'
import type { OpenPreview, PreviewView } from '@vid/edit/events'
import { PreviewViewSchema } from '@vid/edit/events'
import { clientGone, openEventStream, unlisted } from '@vid/server'
import { aborted } from '@vid/system'
import { API } from '../api-paths.ts'
import {
  type EditBody,
  EditBodySchema,
  type SharedStageBody,
  SharedStageBodySchema,
  type SharedUndoBody,
  SharedUndoBodySchema,
} from '../edit-api.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

/** Bytes of a body at most: operations hold texts. */
const MAX_BODY = 2 * 1024 * 1024

/** Adds what a preview shares with commands of this machine: what its page shows, and what is staged, by whom. */
export const addSharedRoutes = ({ app, edits, useStaged, send, signal }: PreviewParts): void => {
  let view: PreviewView | null = null

  app.post<{ Body: PreviewView }>(
    API.view,
    { schema: operation('reportView', { body: PreviewViewSchema }) },
    async ({ body }) => {
      view = body
      return {}
    },
  )
  app.get(SHARED.view, { schema: unlisted() }, async (): Promise<OpenPreview> => {
    if (view === null) return { view, staged: [], conflict: null }
    const { state } = await edits.run(view.entry, async () => {})
    const { steps, authors, conflict } = state
    const staged = authors.map((who, index) => ({ who, summary: steps[index]?.summary ?? [] }))
    return { view, staged, conflict: conflict?.message ?? null }
  })
  app.post<{ Body: SharedStageBody }>(
    SHARED.stage,
    { bodyLimit: MAX_BODY, schema: unlisted({ body: SharedStageBodySchema }) },
    async ({ body }) => {
      const { state, result } = await edits.run(body.entry, (edit) => edit.stage(body.operations, body.who))
      return { receipt: result, diff: state.diff }
    },
  )
  app.post<{ Body: SharedUndoBody }>(
    SHARED.undo,
    { schema: unlisted({ body: SharedUndoBodySchema }) },
    async ({ body }) => {
      const { result } = await edits.run(body.entry, async (edit) => edit.takeBack(body.who))
      return { isTakenBack: result }
    },
  )
  app.get<{ Querystring: EditBody }>(
    SHARED.folder,
    { schema: unlisted({ querystring: EditBodySchema }) },
    async (request, reply) => {
      const gone = AbortSignal.any([signal, clientGone(reply)])
      await useStaged(request.query.entry, gone, async ({ projectDir, state }) => {
        const stream = openEventStream(request, reply)
        stream.send({ dir: state === 'staged' ? projectDir : null })
        // The client closes the stream when it needs the folder no more.
        if (state === 'staged') await aborted(gone)
        await stream.close()
      })
      return reply
    },
  )
  app.post(SHARED.comments, { schema: unlisted() }, async () => {
    send({ type: 'comments' })
    return {}
  })
}
