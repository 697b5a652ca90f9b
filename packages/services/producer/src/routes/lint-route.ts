import { type ProducerLint, ProducerLintSchema } from '@vid/client/contract'
import { Type } from '@vid/protocol'
import { lintUploaded } from '@vid/reader'
import { clientGone } from '@vid/server'
import { readRequest } from '../requests/intake.ts'
import type { ProducerParts } from './parts.ts'
import { bodyOrForm } from './schemas.ts'

const FindingSchema = Type.Object({
  code: Type.String(),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  message: Type.String(),
  file: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  selector: Type.Union([Type.String(), Type.Null()]),
  hint: Type.String(),
})

const LintSchema = Type.Object({
  success: Type.Literal(true),
  requestId: Type.String(),
  /** Whether there are no errors. */
  ok: Type.Boolean(),
  errors: Type.Integer({ minimum: 0 }),
  warnings: Type.Integer({ minimum: 0 }),
  /** How many findings are counted and not listed. */
  omitted: Type.Integer({ minimum: 0 }),
  findings: Type.Array(FindingSchema),
})

/** Adds `POST /lint`, which lints a composition without a browser and without waiting for renders. */
export const addLintRoute = (parts: ProducerParts): void => {
  const {
    app,
    context,
    settings,
    replyText,
    reader: { reading },
  } = parts
  app.post(
    '/lint',
    {
      config: { drains: true, uploadBytes: settings.uploadBytes + settings.bodyBytes },
      schema: {
        operationId: 'lint',
        summary: 'Find mistakes in a composition',
        tags: ['render'],
        body: bodyOrForm(ProducerLintSchema),
        response: { 200: LintSchema },
      },
    },
    async (request, reply) => {
      const signal = clientGone(reply)
      const { body, composition } = await readRequest<ProducerLint>(request, ProducerLintSchema, parts, signal)
      try {
        const { entryFile, format, preset } = body
        const lintSettings = {
          projectDir: composition.projectDir,
          ...(entryFile !== undefined && { entry: entryFile }),
          ...(format !== undefined && { format }),
          ...(preset !== undefined && { preset }),
        }
        const { findings, errors, warnings } = await lintUploaded(lintSettings, context, { reading, signal })
        return {
          success: true as const,
          requestId: request.id,
          ok: errors === 0,
          errors,
          warnings,
          omitted: errors + warnings - findings.length,
          findings: findings.map(replyText.warning),
        }
      } finally {
        composition.project?.release()
      }
    },
  )
}
