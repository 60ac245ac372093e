/**
 * Content types that a JSON body may be sent with. RFC 9110 §8.3.1: case does not count, the value may be quoted; §5.6.6: a
 * parameter may be missing after its semicolon. RFC 8259 §8.1: JSON between systems is UTF-8, so no other charset is taken.
 * Each space can be matched in one way only: a header of nothing but spaces costs no more than its length.
 */
export const JSON_CONTENT_TYPE = /^application\/json(?:[ \t]*;(?:[ \t]*charset=(?:utf-8|"utf-8"))?)*[ \t]*$/i;
