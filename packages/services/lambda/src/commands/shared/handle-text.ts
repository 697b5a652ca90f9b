import type { RenderHandle } from '../../render-to-lambda.ts'

/** Formats a started render, one line for each value. */
export const handleText = ({ renderId, executionArn, outputS3Uri, startedAt }: RenderHandle): string =>
  Object.entries({ renderId, executionArn, outputS3Uri, startedAt })
    .map(([name, value]) => `${name.padEnd(14)} ${value}`)
    .join('\n')
