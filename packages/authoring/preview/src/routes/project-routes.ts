import { basename } from 'node:path'
import { issueWarning, loadComposition, resolveVariables } from '@vid/core'
import { describeCause, Type } from '@vid/protocol'
import { checkRows, readVariableRows } from '@vid/render'
import {
  API,
  type CheckBody,
  CheckBodySchema,
  type EditorBody,
  EditorBodySchema,
  type RowsBody,
  RowsBodySchema,
  type RowsReply,
} from '../api.ts'
import { fail } from '../errors.ts'
import { createBatchList } from '../project/batches.ts'
import { describeComposition } from '../project/composition-reply.ts'
import { findTextEditor, openInEditor } from '../project/editor.ts'
import { findProblems } from '../project/problems.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

const EntryQuery = Type.Object({ entry: Type.String({ minLength: 1, maxLength: 1000 }) })

const rowsOf = async ({ file, entry, text = '' }: RowsBody, parts: PreviewParts) => {
  const { dir: projectDir } = parts.files
  if (file !== undefined) {
    const place = { cwd: projectDir, signal: parts.signal }
    const listed = await readVariableRows(await parts.files.find(file), { projectDir, entry }, place)
    return listed.map(({ variables }) => variables)
  }
  try {
    return checkRows(JSON.parse(text), 'the rows')
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    throw fail('VID_PREVIEW_ROWS', { reason: describeCause(thrown) })
  }
}

const describeRows = async (body: RowsBody, parts: PreviewParts): Promise<RowsReply> => {
  const rows = await rowsOf(body, parts)
  const { composition } = await loadComposition(parts.files.dir, body.entry, { signal: parts.signal })
  return {
    rows: rows.map((values, index) => ({
      index,
      values,
      warnings: resolveVariables(composition.declarations, values).issues.map((issue) => issueWarning(issue)),
    })),
  }
}

/** Adds what the page reads of the project. */
export const addProjectRoutes = (parts: PreviewParts): void => {
  const { app, files, settings, context, env, signal } = parts
  app.get(API.project, { schema: operation('getProject') }, async () => ({
    name: basename(files.dir),
    version: parts.version,
    revision: parts.revision(),
    origin: parts.origin(),
    ...(await parts.compositions()),
    editor: (await findTextEditor(env))?.name ?? null,
  }))
  app.get<{ Querystring: { entry: string } }>(
    API.composition,
    { schema: operation('getComposition', { querystring: EntryQuery }) },
    async ({ query }) =>
      describeComposition(files, query.entry, {
        settings: await settings(),
        origin: parts.origin(),
        revision: parts.revision(),
        signal,
        textOf: parts.edits.textsOf(query.entry),
      }),
  )
  app.get<{ Querystring: { entry: string } }>(
    API.problems,
    { schema: operation('getProblems', { querystring: EntryQuery }) },
    async ({ query }) => ({
      revision: parts.revision(),
      problems: await parts.useStaged(query.entry, signal, ({ projectDir }) =>
        findProblems(projectDir, query.entry, context, signal),
      ),
    }),
  )
  app.post<{ Body: CheckBody }>(
    API.check,
    { schema: operation('check', { body: CheckBodySchema }) },
    async ({ body }) => ({
      revision: parts.revision(),
      ...(await parts.check(body, signal)),
    }),
  )
  const batches = createBatchList(files.dir)
  app.get(API.batches, { schema: operation('listBatches') }, async () => ({ files: await batches() }))
  app.post<{ Body: RowsBody }>(
    API.rows,
    { bodyLimit: 16 * 1024 * 1024, schema: operation('readRows', { body: RowsBodySchema }) },
    async ({ body }) => describeRows(body, parts),
  )
  app.get(API.choices, { schema: operation('getChoices') }, async () => (await settings()).choices)
  app.post<{ Body: EditorBody }>(
    API.editor,
    { schema: operation('openEditor', { body: EditorBodySchema }) },
    async ({ body }) => {
      await openInEditor(await files.find(body.file), body.line ?? 1, env)
      return {}
    },
  )
}
