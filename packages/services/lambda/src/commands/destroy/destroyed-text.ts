import { bytesText, type ResultText } from '@vid/command'
import type { DestroyedStack } from '../../stack/destroy-stack.ts'

const leftText = ({ bucketName, objects, bytes }: NonNullable<DestroyedStack['left']>): string =>
  `left: the bucket ${bucketName}, ${objects} objects, ${bytesText(bytes)}; "aws s3 rb s3://${bucketName} --force" removes it with everything in it`

/** Formats what was removed and what remains. */
export const destroyedText = ({
  stackName,
  left: leftover,
}: DestroyedStack & { readonly stackName: string }): ResultText => ({
  before: leftover ? leftText(leftover) : [],
  lines: stackName,
})
