import { join } from 'node:path'
import { API } from '../api-paths.ts'
import {
  type DropBody,
  DropBodySchema,
  type EditBody,
  EditBodySchema,
  type InspectBody,
  InspectBodySchema,
  type Operation,
  type ResolveBody,
  ResolveBodySchema,
  type StageBody,
  StageBodySchema,
} from '../edit-api.ts'
import { type OpenEdit, PERSON } from '../edits/open-edit.ts'
import { fail } from '../errors.ts'
import { createUploads, type Uploads } from '../uploads/uploads.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'
import { addDropRoutes } from './upload-routes.ts'

/** Bytes of a body at most: operations hold texts. */
const MAX_BODY = 2 * 1024 * 1024

/** Operations with the files that they import; paths of this machine are refused, since a page uploads what it names. */
const withUploads = ({ operations }: StageBody, uploads: Uploads): readonly Operation[] =>
  operations.map((item) => {
    if (!('import' in item) || item.import === undefined) return item
    const file = uploads.fileOf(item.import)
    if (file === undefined) throw fail('VID_PREVIEW_IMPORT', { path: item.import })
    return { ...item, import: file }
  })

/** Adds what edits a composition: each route replies with the state after it. */
export const addEditRoutes = (parts: PreviewParts): void => {
  const { app, edits, scratch, maxUploadBytes } = parts
  const uploads = createUploads(join(scratch, 'uploads'), maxUploadBytes)
  addDropRoutes(parts, uploads)
  const stateAfter = async (entry: string, call: (edit: OpenEdit) => Promise<unknown>) =>
    (await edits.run(entry, call)).state

  app.get<{ Querystring: EditBody }>(
    API.edit,
    { schema: operation('getEdit', { querystring: EditBodySchema }) },
    async ({ query }) => stateAfter(query.entry, async () => {}),
  )
  app.post<{ Body: StageBody }>(
    API.stage,
    { bodyLimit: MAX_BODY, schema: operation('stageEdit', { body: StageBodySchema }) },
    async ({ body }) => {
      const operations = withUploads(body, uploads)
      return stateAfter(body.entry, (edit) => edit.stage(operations, PERSON, body.version))
    },
  )
  app.post<{ Body: InspectBody }>(
    API.inspect,
    { schema: operation('inspectElement', { body: InspectBodySchema }) },
    async ({ body }) => (await edits.run(body.entry, (edit) => edit.inspect(body.target))).result,
  )
  app.post<{ Body: ResolveBody }>(
    API.resolve,
    { schema: operation('resolveEdit', { body: ResolveBodySchema }) },
    async ({ body }) => {
      const keep = (edit: OpenEdit) => edit.keepMine()
      const drop = async (edit: OpenEdit) => {
        await edit.discard()
        return []
      }
      const { state, result } = await edits.run(body.entry, body.keep === 'mine' ? keep : drop)
      return { ...state, dropped: result }
    },
  )
  app.post<{ Body: DropBody }>(
    API.drop,
    { schema: operation('dropEdit', { body: DropBodySchema }) },
    async ({ body }) => {
      const { state, result } = await edits.run(body.entry, (edit) => edit.drop(body.index))
      return { ...state, dropped: result }
    },
  )
  app.post<{ Body: EditBody }>(
    API.write,
    { schema: operation('writeEdit', { body: EditBodySchema }) },
    async ({ body }) => edits.write(body.entry),
  )
  for (const [path, id, call] of [
    [API.discard, 'discardEdit', (edit: OpenEdit) => edit.discard()],
    [API.undo, 'undoEdit', (edit: OpenEdit) => edit.undo()],
    [API.redo, 'redoEdit', (edit: OpenEdit) => edit.redo()],
  ] as const)
    app.post<{ Body: EditBody }>(path, { schema: operation(id, { body: EditBodySchema }) }, async ({ body }) =>
      stateAfter(body.entry, call),
    )
}
