/*
 * What MongoDB 7 supports and this server does not. The error says that the name is out of scope, not unknown.
 */

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const OUT_OF_SCOPE_OPERATORS = names(
  `$accumulator $acos $acosh $allElementsTrue $anyElementTrue $arrayToObject $asin $asinh $atan $atan2 $atanh $binarySize
  $bitAnd $bitNot $bitOr $bitXor $bsonSize $convert $cos $cosh $dateFromParts $dateFromString $dateToParts
  $degreesToRadians $exp $firstN $function $getField $indexOfArray $indexOfBytes $indexOfCP $isNumber $isoDayOfWeek
  $isoWeek $isoWeekYear $lastN $let $ln $log $log10 $ltrim $maxN $median $meta $minN $percentile $pow
  $radiansToDegrees $rand $range $reduce $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray
  $rtrim $sampleRate $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin $sinh $sortArray
  $sqrt $stdDevPop $stdDevSamp $strLenBytes $strcasecmp $substr $substrBytes $tan $tanh $toBool $toDate $toDecimal
  $toHashedIndexKey $toInt $toLong $toObjectId $toString $trim $tsIncrement $tsSecond $unsetField $week $zip`,
);

export const OUT_OF_SCOPE_VARIABLES = names('CLUSTER_TIME SEARCH_META USER_ROLES');

export const OUT_OF_SCOPE_ACCUMULATORS = names(
  `$accumulator $bottom $bottomN $firstN $lastN $maxN $median $minN $percentile $stdDevPop $stdDevSamp $top $topN`,
);

export const OUT_OF_SCOPE_STAGES = names(
  `$bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $densify $documents $facet $fill $geoNear $graphLookup
  $listLocalSessions $listSampledQueries $listSearchIndexes $listSessions $lookup $merge $out $planCacheStats $redact
  $search $searchMeta $setWindowFields $sortByCount $unionWith $vectorSearch`,
);
