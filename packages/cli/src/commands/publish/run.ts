import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { CloudClient } from '@vid/client'
import { printable } from '@vid/kernel'
import { waitingOf } from '../../cloud/flags.ts'
import { readLocalProject } from '../../cloud/project-source.ts'
import { submitRender, uploadProject, waitThere } from '../../cloud/rendering.ts'
import { withCloud } from '../../cloud/session.ts'
import { fail } from '../../errors.ts'
import { reportOf } from '../../flags/command-start.ts'
import { checkFlags, type RawFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { readFlags } from '../../flags/variables.ts'
import type { Report } from '../../report.ts'
import { chooseProgress } from '../render/progress.ts'
import { publishConflicts, publishFlags } from './flags.ts'

const listPublished = async (client: CloudClient, report: Report, signal: AbortSignal): Promise<void> => {
  const publications = await client.publications({ signal })
  report.event({ type: 'publish-list', publications })
  for (const { publication_id: id, url, title, public: isPublic, play, created_at: at } of publications) {
    const kind = [isPublic ? 'public ' : 'private', play ? 'plays' : 'video']
    report.result(printable([id, at, ...kind, url, title].join('  ')))
  }
  if (publications.length === 0) report.note('nothing is published')
}

const unpublish = async (client: CloudClient, id: string, report: Report, signal: AbortSignal): Promise<void> => {
  await client.unpublish(id, { signal })
  report.event({ type: 'publish-remove', publication_id: id })
  report.result(id)
}

const readPublishFlags = (dir: string | undefined, rawFlags: RawFlags, context: CliContext) => {
  const checked = checkFlags(publishFlags, rawFlags, { conflicts: publishConflicts })
  const errors = [...checked.errors]
  for (const name of ['list', 'unpublish'] as const)
    if (dir !== undefined && checked.values[name] !== undefined)
      errors.push(fail('VID_FLAG_CONFLICT', { flags: [`the folder "${dir}"`, `--${name}`] }))
  return readFlags({ ...checked, errors }, context)
}

/** `vid publish`: has a folder rendered at draft, and prints the address of a page that shows it. */
export const runPublish = async (dir: string | undefined, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, signal } = context
  const json = rawFlags.json === true
  const report = reportOf(rawFlags, context)
  const { flags, variables = {} } = await readPublishFlags(dir, rawFlags, context)
  if (flags.list) return withCloud(context, (client) => listPublished(client, report, signal))
  const { unpublish: removed } = flags
  if (removed !== undefined) return withCloud(context, (client) => unpublish(client, removed, report, signal))
  const { composition: entry = 'index.html' } = flags as { composition?: string }
  const strict = flags['strict-variables'] === true
  const local = await readLocalProject({ dir: dir ?? '.', entry, variables, strict }, { cwd, signal })
  for (const warning of local.warnings) report.warn(warning)
  const ratio = flags['aspect-ratio'] ?? local.aspectRatio
  const title = flags.title ?? (basename(local.projectDir).slice(0, 200) || 'untitled')
  await withCloud(context, async (client) => {
    const progress = chooseProgress(context, report, rawFlags)
    const idempotencyKey = flags['idempotency-key'] ?? randomUUID()
    const rendering = { client, report, progress, signal, idempotencyKey, json }
    try {
      const asset_id = await uploadProject(rendering, local.projectDir, entry)
      const renderId = await submitRender(rendering, {
        project: { type: 'asset_id', asset_id },
        quality: 'draft',
        composition: entry,
        variables,
        title,
        ...(ratio !== undefined && { aspect_ratio: ratio }),
        strict_variables: strict,
      })
      if (flags.wait !== false) await waitThere(rendering, renderId, waitingOf(flags))
      const asked = {
        render_id: renderId,
        title,
        public: flags.public === true,
        ...(flags.play !== undefined && { play: flags.play }),
      }
      const publication = await client.publish(asked, { signal })
      progress.clear()
      if (!json) report.note(`published as ${publication.publication_id}`)
      report.event({ type: 'publish-complete', publication })
      report.result(publication.url)
    } finally {
      progress.clear()
    }
  })
}
