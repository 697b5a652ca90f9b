// What the rules of HyperFrames 0.8 correspond to here.

/** The codes of HyperFrames for each rule of vid check; an empty list where it has none. */
export const COUNTERPARTS = {
  'script-error': ['page_error', 'console_error', 'check_runtime_failure'],
  'missing-file': [
    'http_error',
    'request_failed',
    'audio_src_not_found',
    'missing_local_asset',
    'invalid_parent_traversal_in_asset_path',
  ],
  'fallback-font': ['font_family_without_font_face', 'system_font_will_alias'],
  'missing-glyph': [],
  'unregistered-timeline': ['gsap_timeline_not_registered', 'missing_timeline_registry', 'timeline_id_mismatch'],
  'slow-page': [],
  'text-cut': [
    'text_box_overflow',
    'clipped_text',
    'canvas_overflow',
    'container_overflow',
    'escaped_container',
    'panel_out_of_canvas',
  ],
  'text-overlap': ['content_overlap'],
  'text-covered': ['text_occluded'],
  'text-small': [],
  'text-safe-area': ['canvas_overflow', 'frame_out_of_frame', 'caption_zone_collision'],
  contrast: ['contrast_aa_failure'],
  'empty-picture': ['subcomposition_blanks_before_host', 'motion_appears_late'],
  'frozen-picture': ['sweep_static', 'motion_frozen'],
  flash: [],
  'upscaled-image': [],
  'squeezed-image': [],
  'video-too-short': ['clip_media_fit', 'video_media_start_at_or_past_eof'],
  jump: ['gsap_repeated_fromto_without_baseline', 'overlapping_gsap_tweens'],
  'cut-animation': ['clip_ends_past_root_duration', 'gsap_tween_tail'],
  silence: [],
  clipping: [],
  loudness: [],
  'masked-speech': [],
  'cut-sound': [],
}

/** Codes that are about how a project is laid out for its editor, and say nothing of the composition. */
export const IGNORED = [
  'nested_structure_needs_subcomposition',
  'studio_missing_editable_id',
  'timeline_element_missing_timing',
  'timeline_track_too_dense',
  'timed_element_missing_clip_class',
]
