import type { PluginOf } from '@vid/kernel'
import { captionGap, captionLength, captionOverlap, captionSilence, captionSpeed } from './caption-rules.ts'
import { contrast } from './contrast-rule.ts'
import { flash } from './flash-rule.ts'
import { squeezedImage, upscaledImage } from './image-rules.ts'
import { cutAnimation, jump } from './motion-rules.ts'
import { fallbackFont, missingFile, missingGlyph, scriptError, slowPage, unregisteredTimeline } from './page-rules.ts'
import { emptyPicture, frozenPicture, videoTooShort } from './picture-rules.ts'
import { captionSafeArea, textSafeArea } from './safe-area-rule.ts'
import { clipping, cutSound, loudness, maskedSpeech, silence } from './sound-rules.ts'
import { textCovered } from './text-covered-rule.ts'
import { textCut } from './text-cut-rule.ts'
import { textOverlap } from './text-overlap-rule.ts'
import { textSmall } from './text-small-rule.ts'

type MakeCheck = (options?: never) => PluginOf<'check'>

type RuleGroup = 'page' | 'text' | 'contrast' | 'picture' | 'motion' | 'sound' | 'captions'

/** The rules that come with vid, by the groups of the documentation. */
export const ruleGroups: Readonly<Record<RuleGroup, readonly MakeCheck[]>> = {
  page: [scriptError, missingFile, fallbackFont, missingGlyph, unregisteredTimeline, slowPage],
  text: [textCut, textOverlap, textCovered, textSmall, textSafeArea],
  contrast: [contrast],
  picture: [emptyPicture, frozenPicture, flash, upscaledImage, squeezedImage, videoTooShort],
  motion: [jump, cutAnimation],
  sound: [silence, clipping, loudness, maskedSpeech, cutSound],
  captions: [captionSpeed, captionLength, captionGap, captionOverlap, captionSilence, captionSafeArea],
}

/** How each rule that comes with vid is made, by its name. */
export const ruleMakers: ReadonlyMap<string, (options: object) => PluginOf<'check'>> = new Map(
  Object.values(ruleGroups).flatMap((group) =>
    (group as readonly ((options?: object) => PluginOf<'check'>)[]).map((make) => [make().rule, make] as const),
  ),
)
