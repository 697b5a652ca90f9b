import { VidCaptions } from './vid-captions.ts'

// Two embedded files may each load this script.
if (!customElements.get('vid-captions')) customElements.define('vid-captions', VidCaptions)
