import { API } from '../api-paths.ts'
import {
  type EditBody,
  EditBodySchema,
  type InspectBody,
  InspectBodySchema,
  type ResolveBody,
  ResolveBodySchema,
  type StageBody,
  StageBodySchema,
} from '../edit-api.ts'
import type { OpenEdit } from '../edits/open-edit.ts'
import { fail } from '../errors.ts'
import { operation } from './operation.ts'
import type { RouteParts } from './parts.ts'

/** Bytes of a body at most: operations hold texts. */
const MAX_BODY = 2 * 1024 * 1024

/** Refuses paths of this machine: a page names files by uploading them. */
const checkImports = ({ operations }: StageBody) => {
  for (const item of operations)
    if (item.op === 'media' && item.import !== undefined) throw fail('VID_PREVIEW_IMPORT', { path: item.import })
}

/** Adds what edits a composition: each route replies with the state after it. */
export const addEditRoutes = ({ app, edits }: RouteParts): void => {
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
      checkImports(body)
      return stateAfter(body.entry, (edit) => edit.stage(body.operations))
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
