// Must run before the page script, which takes over dates and the properties of media elements.
import { applyLaunch } from './launch.ts'
import { hideMuting, stillMedia } from './native-videos.ts'
import { installRenderLocale } from './render-locale.ts'

applyLaunch()
installRenderLocale()
hideMuting()
stillMedia(document)
