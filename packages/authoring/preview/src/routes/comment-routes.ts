import {
  addComment,
  answerComment,
  type CommentPlace,
  pinOf,
  placeComments,
  readComments,
  removeComment,
  resolveComment,
} from '@vid/edit'
import { isVidError } from '@vid/protocol'
import { API } from '../api-paths.ts'
import {
  type CommentBody,
  CommentBodySchema,
  type CommentChangeBody,
  CommentChangeBodySchema,
  type CommentsReply,
} from '../comments-api.ts'
import { type EditBody, EditBodySchema } from '../edit-api.ts'
import { PERSON } from '../edits/open-edit.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

/** Adds the comments of the person at the page; each route replies with those of the composition. */
export const addCommentRoutes = ({ app, edits, files, send, signal }: PreviewParts): void => {
  const place: CommentPlace = { dir: files.dir, signal }
  const list = async (entry: string): Promise<CommentsReply> => {
    const all = (await readComments(files.dir)).filter((comment) => comment.entry === entry)
    try {
      const { result } = await edits.run(entry, (edit) => placeComments(all, async () => edit.find))
      return { comments: result }
    } catch (thrown) {
      // A composition that cannot be read has no elements; its comments stay at their times.
      if (!isVidError(thrown)) throw thrown
      return { comments: await placeComments(all, async () => async () => null) }
    }
  }
  const listAfter = async (entry: string, work: Promise<unknown>): Promise<CommentsReply> => {
    await work
    send({ type: 'comments' })
    return list(entry)
  }

  app.get<{ Querystring: EditBody }>(
    API.comments,
    { schema: operation('listComments', { querystring: EditBodySchema }) },
    async ({ query }) => list(query.entry),
  )
  app.post<{ Body: CommentBody }>(
    API.comments,
    { schema: operation('addComment', { body: CommentBodySchema }) },
    async ({ body }) => {
      const { target, ...comment } = body
      const facts = target === null ? null : (await edits.run(body.entry, (edit) => edit.inspect(target))).result
      const pin = facts === null ? null : pinOf(facts)
      return listAfter(body.entry, addComment(place, { ...comment, pin, who: PERSON }))
    },
  )
  app.post<{ Params: { id: string }; Body: CommentChangeBody }>(
    API.comment,
    { schema: operation('changeComment', { body: CommentChangeBodySchema }) },
    async ({ params, body }) => {
      const id = Number(params.id)
      const isAnswer = 'text' in body
      const work = isAnswer
        ? answerComment(place, id, PERSON, body.text)
        : resolveComment(place, id, body.isResolved ? PERSON : null)
      return listAfter(body.entry, work)
    },
  )
  app.delete<{ Params: { id: string }; Querystring: EditBody }>(
    API.comment,
    { schema: operation('removeComment', { querystring: EditBodySchema }) },
    async ({ params, query }) => listAfter(query.entry, removeComment(place, Number(params.id))),
  )
}
