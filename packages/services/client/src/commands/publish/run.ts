import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { type CommandRun, type Report, settingsOf } from '@vid/command'
import { printable } from '@vid/protocol'
import type { CloudClient } from '../../cloud/client.ts'
import { type CloudRenderInput, cloudSurface } from '../../contract/index.ts'
import { readLocalProject } from '../shared/project-source.ts'
import { submitRender, uploadProject } from '../shared/rendering.ts'
import { withCloud } from '../shared/session.ts'
import { publishOptions } from './options.ts'

const listPublished = async (client: CloudClient, report: Report, signal: AbortSignal): Promise<void> => {
  const publications = await client.publications({ signal })
  report.event({ type: 'publish-list', publications })
  for (const { publication_id: id, url, title, public: isPublic, play, created_at: createdAt } of publications) {
    const kind = [isPublic ? 'public ' : 'private', play ? 'plays' : 'video']
    report.result(printable([id, createdAt, ...kind, url, title].join('  ')))
  }
  if (publications.length === 0) report.note('nothing is published')
}

const unpublish = async (client: CloudClient, id: string, report: Report, signal: AbortSignal): Promise<void> => {
  await client.unpublish(id, { signal })
  report.event({ type: 'publish-remove', publication_id: id })
  report.result(id)
}

/** `vid publish`: renders a folder in draft quality on the hosted API, and creates a page that shows it. */
export const runPublish = async (
  run: CommandRun<typeof publishOptions, { readonly dir: string | undefined }>,
): Promise<void> => {
  const { cwd, signal, options, json, report, progress, variables = {} } = run
  const { dir } = run.arguments
  if (options.list) return withCloud(run, (client) => listPublished(client, report, signal))
  const { unpublish: removed } = options
  if (removed !== undefined) return withCloud(run, (client) => unpublish(client, removed, report, signal))
  const { entry = 'index.html', ...settings } = settingsOf(publishOptions, options)
  const strict = options['strict-variables'] === true
  const local = await readLocalProject({ dir: dir ?? '.', entry, variables, strict }, { cwd, signal })
  for (const warning of local.warnings) report.warn(warning)
  const { shape } = options
  const ratio = shape === undefined ? (options['aspect-ratio'] ?? local.aspectRatio) : undefined
  const title = options.title ?? (basename(local.projectDir).slice(0, 200) || 'untitled')
  await withCloud(run, async (client) => {
    const idempotencyKey = options['idempotency-key'] ?? randomUUID()
    const rendering = { client, report, progress, signal, idempotencyKey, json }
    try {
      const asset_id = await uploadProject(rendering, local.projectDir, entry)
      const body: CloudRenderInput = {
        project: { type: 'asset_id', asset_id },
        ...cloudSurface.write({ quality: 'draft', ...settings, entry, variables, strictVariables: strict }),
        title,
        ...(ratio !== undefined && { aspect_ratio: ratio }),
      }
      const { renderId, wait } = await submitRender(rendering, body, options)
      if (options.wait !== false) await wait()
      const page = {
        render_id: renderId,
        title,
        public: options.public === true,
        ...(options.play !== undefined && { play: options.play }),
      }
      const publication = await client.publish(page, { signal })
      progress.clear()
      if (!json) report.note(`published as ${publication.publication_id}`)
      report.event({ type: 'publish-complete', publication })
      report.result(publication.url)
    } finally {
      progress.clear()
    }
  })
}
