/**
 * Content types that are accepted for a JSON body. RFC 9110 §8.3.1: case is ignored and the value may be quoted;
 * §5.6.6: the parameter after a semicolon may be missing. RFC 8259 §8.1: JSON between systems is UTF-8, so other
 * charsets are rejected. Each space matches in only one way, so a header of only spaces takes linear time.
 */
export const JSON_CONTENT_TYPE = /^application\/json(?:[ \t]*;(?:[ \t]*charset=(?:utf-8|"utf-8"))?)*[ \t]*$/i;
